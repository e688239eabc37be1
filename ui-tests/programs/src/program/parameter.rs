//! Parameters of steps: the flags of an event, an operator and how its operands lie, a kernel and how it gets its arguments, a
//! rank, a way through Rust.

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

/// A kernel of a binary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kernel {
    /// Adds the first memory, times a number, to the second one, and gets a length.
    Change,
    /// Writes the first memory plus one to the second one.
    Make,
}

/// How a kernel gets its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Passed {
    /// As it declares them.
    Declared,
    /// The memory that it writes is borrowed for reading.
    Shared,
    /// The number comes first.
    Turned,
    /// Without the last ones.
    Fewer,
    /// A number of another size.
    Wider,
    /// A length that is larger than the memory.
    Longer,
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
