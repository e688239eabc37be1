//! What a graph has: the form of its memory, and what its recordings do.

/// How the memory of a graph is passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Tuple,
    Nested,
    Array,
    Vec,
    /// The first buffer is borrowed, and the others are moved.
    Borrowed,
}

/// What a recording needs besides its own memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum With {
    Nothing,
    /// A second stream.
    Side,
    /// Memory that the graph does not have, or another graph.
    Other,
}

/// What the first stream of a fork does beside the second one, which copies from one part to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Beside {
    Nothing,
    /// It reads what the second stream reads.
    Reads,
    /// It fills the third part.
    Fills,
    /// It reads what the second stream writes.
    ReadsLent,
    /// It writes what the second stream reads.
    WritesRead,
    /// The second stream writes what is lent to it for reading, and the first one reads it.
    SideWrites,
    /// A part of the second stream leaves the fork.
    Keeps,
    /// The second stream waits.
    Waits,
}

/// How a recording waits, or works only once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Halt {
    Synchronize,
    Drain,
    Query,
    HostFunc,
}

/// A part of the memory of a graph.
pub(crate) type Part = u8;

/// What a recording does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Record {
    Nothing,
    Fill(Part),
    /// From the second part to the first one.
    Copy(Part, Part),
    /// The first part becomes twice the second one.
    Add(Part, Part),
    /// The first part becomes the second one plus a multiple of it, which an update changes.
    Group(Part, Part),
    /// A function of the host with a part.
    Touch(Part),
    /// A function of the host without memory.
    Count,
    /// A copy by way of memory of the recording.
    Temporary(Part, Part),
    Fork(Part, Part, Beside),
    /// The host waits for another stream meanwhile.
    OtherWaits,
    /// The recording waits.
    Halts(Halt),
    /// The host waits for the device.
    DeviceWaits,
    /// It runs a graph.
    Runs,
    /// A part leaves the closure.
    Keeps(Part),
    /// Memory of the recording leaves the closure.
    KeepsTemporary,
    /// It reads memory that the graph does not have.
    Outside(Part),
}

impl Record {
    /// The parts that it reads, and those that it writes.
    pub(crate) fn uses(self) -> (Vec<Part>, Vec<Part>) {
        match self {
            Record::Fill(to) | Record::Outside(to) => (vec![], vec![to]),
            Record::Touch(to) => (vec![to], vec![to]),
            Record::Copy(to, from)
            | Record::Add(to, from)
            | Record::Group(to, from)
            | Record::Temporary(to, from) => (vec![from], vec![to]),
            Record::Fork(to, from, Beside::Fills) => (vec![from], vec![to, third(to, from)]),
            Record::Fork(to, from, _) => (vec![from], vec![to]),
            _ => (vec![], vec![]),
        }
    }

    /// Whether it plans an operator, which needs a binding.
    pub(crate) fn has_operator(self) -> bool {
        matches!(self, Record::Add(..) | Record::Group(..))
    }
}

/// The part that is none of these two.
pub(crate) fn third(one: Part, other: Part) -> Part {
    (0..3)
        .find(|part| ![one, other].contains(part))
        .unwrap_or(0)
}

/// The work of a recording, in its order.
pub(crate) type Records = [Record; 4];
