//! The messages between ranks of several processes.

use std::io;

use ascendcl_sys::{HcclDataType, HcclReduceOp};

use super::key::{Gone, Key, Link};
use super::movement::{Remote, Terms};
use super::wire::{Reader, Writer, malformed};

/// A message from one rank to another one, about one communicator.
#[derive(Debug)]
pub(super) enum Frame {
    /// The rank joins a part of the communicator.
    Join,
    /// The rank has failed to join it.
    Leave,
    /// The rank makes its first operation of a kind.
    Link(Link),
    /// The rank has called this with a count of 0 before the operation of this number.
    Skip(&'static str, u64),
    /// The rank makes no more operations.
    Gone(Gone),
    /// The rank has reached an operation. The bytes that it sends follow.
    Part(Key, Remote),
}

/// The operations, by the numbers that stand for them in a message.
const OPERATIONS: [&str; 14] = [
    "a message",
    "HcclAllReduce",
    "HcclReduce",
    "HcclReduceScatter",
    "HcclReduceScatterV",
    "HcclAllGather",
    "HcclAllGatherV",
    "HcclBroadcast",
    "HcclScatter",
    "HcclAlltoAll",
    "HcclAlltoAllV",
    "HcclAlltoAllVC",
    "HcclBarrier",
    "an operation",
];

fn number(operation: &str) -> u8 {
    let mut known = OPERATIONS.iter();
    let found = known.position(|known| *known == operation);
    u8::try_from(found.unwrap_or(OPERATIONS.len() - 1)).unwrap_or(0)
}

fn operation(number: u8) -> io::Result<&'static str> {
    let found = OPERATIONS.get(usize::from(number));
    found.copied().ok_or_else(malformed)
}

/// The number that stands for an absent one.
const NONE: u64 = u64::MAX;

impl Frame {
    /// Writes the message about the communicator of this name; `following` is the number of bytes behind it.
    pub(super) fn write(&self, channel: &str, following: usize) -> Vec<u8> {
        let writer = Writer::default().bytes(channel.as_bytes());
        let writer = match self {
            Frame::Join => writer.byte(0),
            Frame::Leave => writer.byte(1),
            Frame::Link(Link::Collective(name)) => writer.byte(2).byte(number(name)),
            Frame::Link(Link::Pair(from, to)) => {
                writer.byte(3).long(u64::from(*from)).long(u64::from(*to))
            }
            Frame::Skip(name, before) => writer.byte(4).byte(number(name)).long(*before),
            Frame::Gone(gone) => writer.byte(5).byte(gone.number()),
            Frame::Part(key, part) => write_part(writer, *key, part),
        };
        writer.end(following)
    }

    /// Reads a message and the name of its communicator. `bytes` are those behind it.
    pub(super) fn read(head: &[u8], bytes: Vec<u8>) -> io::Result<(String, Frame)> {
        let mut head = Reader::new(head);
        let channel = head.text()?;
        let frame = match head.byte()? {
            0 => Frame::Join,
            1 => Frame::Leave,
            2 => Frame::Link(Link::Collective(operation(head.byte()?)?)),
            3 => Frame::Link(Link::Pair(head.number()?, head.number()?)),
            4 => Frame::Skip(operation(head.byte()?)?, head.long()?),
            5 => Frame::Gone(Gone::of(head.byte()?).ok_or_else(malformed)?),
            6 => read_part(&mut head, bytes)?,
            _ => return Err(malformed()),
        };
        Ok((channel, frame))
    }
}

fn write_part(writer: Writer, key: Key, part: &Remote) -> Writer {
    let writer = writer.byte(6);
    let writer = match key {
        Key::Collective(number) => writer.byte(0).long(number),
        Key::Message {
            from,
            to,
            number,
            in_batch,
        } => {
            let writer = writer.byte(1 + u8::from(in_batch)).long(u64::from(from));
            writer.long(u64::from(to)).long(number)
        }
    };
    let terms = &part.terms;
    writer
        .byte(number(terms.operation))
        .long(u64::from(terms.dtype.0))
        .long(terms.count.unwrap_or(NONE))
        .long(terms.reduction.map_or(NONE, |op| u64::from(op.0)))
        .long(terms.root.map_or(NONE, u64::from))
        .longs(part.gives.iter().copied())
        .longs(part.takes.iter().copied())
}

fn read_part(head: &mut Reader<'_>, bytes: Vec<u8>) -> io::Result<Frame> {
    let kind = head.byte()?;
    let key = match kind {
        0 => Key::Collective(head.long()?),
        1 | 2 => Key::Message {
            from: head.number()?,
            to: head.number()?,
            number: head.long()?,
            in_batch: kind == 2,
        },
        _ => return Err(malformed()),
    };
    let optional = |number: u64| (number != NONE).then_some(number);
    let narrow = |number: u64| u32::try_from(number).map_err(|_| malformed());
    let terms = Terms {
        operation: operation(head.byte()?)?,
        dtype: HcclDataType(head.number()?),
        count: optional(head.long()?),
        reduction: optional(head.long()?)
            .map(narrow)
            .transpose()?
            .map(HcclReduceOp),
        root: optional(head.long()?).map(narrow).transpose()?,
    };
    let (gives, takes) = (head.longs()?, head.longs()?);
    Ok(Frame::Part(
        key,
        Remote {
            terms,
            gives,
            takes,
            bytes,
        },
    ))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]
    use super::*;
    use crate::collective::wire;
    use ascendcl_sys::{HCCL_DATA_TYPE_BFP16, HCCL_REDUCE_MAX};

    #[test]
    fn messages_are_read_as_they_were_written() {
        let part = |count, reduction, root| Remote {
            terms: Terms {
                operation: "HcclScatter",
                dtype: HCCL_DATA_TYPE_BFP16,
                count,
                reduction,
                root,
            },
            gives: vec![2, 0],
            takes: vec![3],
            bytes: vec![8, 9],
        };
        let message = Key::Message {
            from: 1,
            to: 0,
            number: 7,
            in_batch: true,
        };
        let frames = [
            Frame::Join,
            Frame::Leave,
            Frame::Link(Link::Collective("HcclBarrier")),
            Frame::Link(Link::Pair(2, 3)),
            Frame::Skip("HcclReduce", 4),
            Frame::Gone(Gone::Destroyed),
            Frame::Part(
                Key::Collective(9),
                part(Some(4), Some(HCCL_REDUCE_MAX), None),
            ),
            Frame::Part(message, part(None, None, Some(1))),
        ];
        for frame in frames {
            let mut sent = frame.write("part", 2);
            sent.extend([8, 9]);
            let (head, bytes) = wire::read(&mut sent.as_slice()).unwrap();
            let (channel, read) = Frame::read(&head, bytes).unwrap();
            assert_eq!(channel, "part");
            assert_eq!(format!("{read:?}"), format!("{frame:?}"));
            for len in 0..head.len() {
                assert!(Frame::read(head.get(..len).unwrap(), Vec::new()).is_err());
            }
        }
    }

    #[test]
    fn every_operation_has_a_number() {
        for name in OPERATIONS {
            assert_eq!(operation(number(name)).unwrap(), name);
        }
        assert!(operation(99).is_err());
    }
}
