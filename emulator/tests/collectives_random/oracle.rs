//! What the operations of ranks do to their memory, from the definition of each operation.
//!
//! The model knows nothing of queues, threads or groups: an operation reads the memory of all ranks, and writes then.

use std::ops::Range;

/// The number of streams of a rank. Each has buffers of its own.
pub(crate) const STREAMS: usize = 2;
/// The number of buffers of a stream.
pub(crate) const BUFFERS: usize = 3;
/// The bytes of a buffer.
pub(crate) const BYTES: usize = 128;

/// An operation of all ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    AllReduce,
    AllGather,
    ReduceScatter,
    Broadcast,
    Reduce,
    Scatter,
    AllToAll,
    AllGatherV,
    ReduceScatterV,
    AllToAllV,
    AllToAllVC,
}

pub(crate) const KINDS: [Kind; 11] = [
    Kind::AllReduce,
    Kind::AllGather,
    Kind::ReduceScatter,
    Kind::Broadcast,
    Kind::Reduce,
    Kind::Scatter,
    Kind::AllToAll,
    Kind::AllGatherV,
    Kind::ReduceScatterV,
    Kind::AllToAllV,
    Kind::AllToAllVC,
];

/// Whole numbers with this many bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Width {
    One = 1,
    Four = 4,
    Eight = 8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reduction {
    Sum,
    Product,
    Max,
    Min,
}

/// A stream of a rank, and the buffers that an operation uses there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    pub(crate) stream: usize,
    pub(crate) send: usize,
    pub(crate) recv: usize,
}

/// An operation with the part of each rank.
#[derive(Debug, Clone)]
pub(crate) struct Operation {
    pub(crate) kind: Kind,
    pub(crate) width: Width,
    pub(crate) reduction: Reduction,
    pub(crate) root: usize,
    /// The number of elements, if all ranks have one number.
    pub(crate) count: usize,
    /// Otherwise the number that each rank sends to each one. Kinds with one list use the first row.
    pub(crate) matrix: Vec<Vec<usize>>,
    /// The elements between the parts of a list that has displacements.
    pub(crate) gap: usize,
    pub(crate) places: Vec<Place>,
}

/// A message from one rank to another one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Message {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) width: Width,
    pub(crate) count: usize,
    /// The stream and the buffer of the sender.
    pub(crate) send: (usize, usize),
    /// The stream and the buffer of the receiver.
    pub(crate) recv: (usize, usize),
}

/// The memory of all ranks: by rank, stream and buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Memory(pub(crate) Vec<Vec<Vec<Vec<u8>>>>);

impl Operation {
    pub(crate) fn has_list(&self) -> bool {
        matches!(
            self.kind,
            Kind::AllGatherV | Kind::ReduceScatterV | Kind::AllToAllV | Kind::AllToAllVC
        )
    }

    /// The numbers of elements of a kind with one list.
    pub(crate) fn list(&self) -> &[usize] {
        &self.matrix[0]
    }

    /// Where the parts of a list begin.
    pub(crate) fn starts(&self, counts: &[usize]) -> Vec<usize> {
        let gap = if self.kind == Kind::AllToAllVC {
            0
        } else {
            self.gap
        };
        let before = |end: usize| counts[..end].iter().sum::<usize>() + gap * end;
        (0..counts.len()).map(before).collect()
    }

    /// The numbers that a rank receives from each one.
    pub(crate) fn column(&self, rank: usize) -> Vec<usize> {
        self.matrix.iter().map(|row| row[rank]).collect()
    }

    /// The bytes of elements from `start` on.
    fn bytes(&self, start: usize, count: usize) -> Range<usize> {
        let width = self.width as usize;
        start * width..(start + count) * width
    }
}

impl Memory {
    fn sent(&self, operation: &Operation, rank: usize, start: usize, count: usize) -> Vec<u8> {
        let place = operation.places[rank];
        self.0[rank][place.stream][place.send][operation.bytes(start, count)].to_vec()
    }

    /// The reduction of elements of all ranks.
    fn reduced(&self, operation: &Operation, start: usize, count: usize) -> Vec<u8> {
        let all = (0..operation.places.len()).map(|rank| self.sent(operation, rank, start, count));
        let sum = all.reduce(|sum, other| {
            let width = operation.width as usize;
            let pairs = sum.chunks(width).zip(other.chunks(width));
            pairs
                .flat_map(|(one, other)| combine(operation.reduction, one, other))
                .collect()
        });
        sum.unwrap()
    }

    /// Makes an operation.
    pub(crate) fn operate(&mut self, operation: &Operation) {
        let ranks = operation.places.len();
        let (count, root) = (operation.count, operation.root);
        let mut written: Vec<(usize, usize, Vec<u8>)> = Vec::new();
        for rank in 0..ranks {
            let mut write = |start: usize, bytes: Vec<u8>| written.push((rank, start, bytes));
            match operation.kind {
                Kind::AllReduce => write(0, self.reduced(operation, 0, count)),
                Kind::Reduce if rank == root => write(0, self.reduced(operation, 0, count)),
                Kind::Reduce => {}
                Kind::ReduceScatter => write(0, self.reduced(operation, rank * count, count)),
                Kind::Broadcast | Kind::Scatter => {
                    let start = if operation.kind == Kind::Scatter {
                        rank * count
                    } else {
                        0
                    };
                    write(0, self.sent(operation, root, start, count));
                }
                Kind::AllGather => {
                    for from in 0..ranks {
                        write(from * count, self.sent(operation, from, 0, count));
                    }
                }
                Kind::AllToAll => {
                    for from in 0..ranks {
                        write(
                            from * count,
                            self.sent(operation, from, rank * count, count),
                        );
                    }
                }
                Kind::AllGatherV => {
                    let starts = operation.starts(operation.list());
                    for (from, count) in operation.list().iter().enumerate() {
                        write(starts[from], self.sent(operation, from, 0, *count));
                    }
                }
                Kind::ReduceScatterV => {
                    let starts = operation.starts(operation.list());
                    let count = operation.list()[rank];
                    write(0, self.reduced(operation, starts[rank], count));
                }
                Kind::AllToAllV | Kind::AllToAllVC => {
                    let column = operation.column(rank);
                    let to = operation.starts(&column);
                    for (from, row) in operation.matrix.iter().enumerate() {
                        let starts = operation.starts(row);
                        write(
                            to[from],
                            self.sent(operation, from, starts[rank], row[rank]),
                        );
                    }
                }
            }
        }
        for (rank, start, bytes) in written {
            let place = operation.places[rank];
            let buffer = &mut self.0[rank][place.stream][place.recv];
            let start = start * operation.width as usize;
            buffer[start..start + bytes.len()].copy_from_slice(&bytes);
        }
    }

    /// Moves messages that do not wait for each other.
    pub(crate) fn send(&mut self, messages: &[Message]) {
        let before = self.clone();
        for message in messages {
            let (stream, buffer) = message.send;
            let len = message.count * message.width as usize;
            let bytes = &before.0[message.from][stream][buffer][..len];
            let (stream, buffer) = message.recv;
            self.0[message.to][stream][buffer][..len].copy_from_slice(bytes);
        }
    }
}

fn combine(reduction: Reduction, one: &[u8], other: &[u8]) -> Vec<u8> {
    let number = |bytes: &[u8]| {
        let negative = bytes.last().is_some_and(|byte| *byte > 127);
        let mut all = [if negative { 255 } else { 0 }; 8];
        all[..bytes.len()].copy_from_slice(bytes);
        i64::from_le_bytes(all)
    };
    let (one, other, len) = (number(one), number(other), one.len());
    let result = match reduction {
        Reduction::Sum => one.wrapping_add(other),
        Reduction::Product => one.wrapping_mul(other),
        Reduction::Max => one.max(other),
        Reduction::Min => one.min(other),
    };
    result.to_le_bytes()[..len].to_vec()
}
