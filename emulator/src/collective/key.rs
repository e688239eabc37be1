//! What ranks say about their operations: which one it is, and why no more follow.

use std::fmt;

/// The reason why a rank makes no more operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gone {
    /// The connection is closed.
    Ended,
    Destroyed,
    GaveUp,
}

impl Gone {
    pub(super) fn number(self) -> u8 {
        match self {
            Gone::Ended => 0,
            Gone::Destroyed => 1,
            Gone::GaveUp => 2,
        }
    }

    pub(super) fn of(number: u8) -> Option<Gone> {
        [Gone::Ended, Gone::Destroyed, Gone::GaveUp]
            .get(usize::from(number))
            .copied()
    }

    pub(super) fn text(self) -> &'static str {
        match self {
            Gone::Ended => "its process has ended",
            Gone::Destroyed => "it has destroyed its communicator",
            Gone::GaveUp => "it has given up an operation",
        }
    }
}

/// The operations that share the connections between the ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Link {
    /// The collective operations of this name.
    Collective(&'static str),
    /// The messages from one rank to another one.
    Pair(u32, u32),
}

impl Link {
    /// Returns the number of ranks that it connects, of `size` ranks.
    pub(super) fn count(self, size: u32) -> usize {
        match self {
            Link::Collective(_) => size as usize,
            Link::Pair(..) => 2,
        }
    }

    /// Returns the ranks that it connects, of `size` ranks.
    pub(super) fn ranks(self, size: u32) -> Vec<u32> {
        match self {
            Link::Collective(_) => (0..size).collect(),
            Link::Pair(from, to) => vec![from, to],
        }
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Link::Collective(name) => f.write_str(name),
            Link::Pair(from, to) => write!(f, "a message from rank {from} to rank {to}"),
        }
    }
}

/// What identifies an exchange in its world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    /// The collective operation with this number.
    Collective(u64),
    /// The message with this number from one rank to another one.
    Message {
        from: u32,
        to: u32,
        number: u64,
        in_batch: bool,
    },
}

impl Key {
    /// Returns the rank that has a place in the exchange.
    pub(super) fn rank(self, slot: usize) -> u32 {
        match self {
            Key::Collective(_) => u32::try_from(slot).unwrap_or(u32::MAX),
            Key::Message { from, to, .. } => {
                if slot == 0 {
                    from
                } else {
                    to
                }
            }
        }
    }

    /// Returns the place of a rank. In a message to the own rank it is that of the sender.
    pub(super) fn slot(self, rank: u32) -> Option<usize> {
        match self {
            Key::Collective(_) => usize::try_from(rank).ok(),
            Key::Message { from, .. } if rank == from => Some(0),
            Key::Message { to, .. } => (rank == to).then_some(1),
        }
    }
}
