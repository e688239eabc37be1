//! Parameters of steps: the flags of an event, an operator and how its operands lie, a rank, a way through Rust.

/// The flags of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flags {
    Order,
    Progress,
    Timing,
    OrderTiming,
}

/// An operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    Add,
    Mul,
    Relu,
    InplaceAdd,
}

/// How the operands of an operator lie in their memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// All elements in their order.
    Whole,
    /// All elements, with two dimensions exchanged.
    Turned,
    /// The first half.
    Part,
}

/// What a pipeline makes of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Middle {
    Copy,
    Fill,
    Add,
    /// The input of an older batch that had the same lane. This one leaves its own there.
    Carry,
    Error,
    /// An output that is too short.
    Short,
    /// The memory of the output is kept outside.
    Keep,
}

/// A rank of a communicator, as a program names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Which {
    Own,
    Next,
    Previous,
    At(u8),
}

/// A way through Rust that gives the same value back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Box,
    Option,
    Vec,
    Function,
    Closure,
    Replace,
}
