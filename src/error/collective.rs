//! Mistakes with communicators.

use super::{Error, Usage};

/// A mistake with a communicator, found before HCCL was called.
///
/// ```
/// use ascendcl::collective::RootInfo;
///
/// let error = RootInfo::from_bytes(b"no root information").map(|_| ()).map_err(|error| error.to_string());
/// assert!(error.is_err_and(|text| text.contains("19")));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CollectiveMismatch {
    /// A number that is no rank of the communicator.
    #[error("there is no rank {rank} of {size}: ranks count from 0")]
    Rank {
        /// The number.
        rank: u32,
        /// Number of ranks.
        size: u32,
    },
    /// A communicator without ranks.
    #[error("a communicator has at least one rank: pass the number of devices that join")]
    NoRanks,
    /// The own rank as the other side of a message.
    #[error("{call}: rank {rank} is this rank itself: copy within the device by `memcpy_async`")]
    OwnRank {
        /// The C function.
        call: &'static str,
        /// The rank.
        rank: u32,
    },
    /// A call for the other ranks on the root.
    #[error(
        "{call}: rank {rank} is the root, and this call is for the others: on the root use `broadcast` or `scatter`"
    )]
    Role {
        /// The C function.
        call: &'static str,
        /// The own rank, which is the root.
        rank: u32,
    },
    /// An operation without elements. HCCL would return success on this rank, and the other ranks would wait for it.
    #[error(
        "{call}: there are no elements, so this rank would take no part and the others would wait for it: leave the call \
         out on every rank"
    )]
    Empty {
        /// The C function.
        call: &'static str,
    },
    /// Lengths that do not follow from the number of ranks.
    #[error(
        "{call}: one buffer has {each} elements for one rank and the other {all} for {ranks} ranks: the second one must have \
         {ranks} times as many as the first one"
    )]
    Length {
        /// The C function.
        call: &'static str,
        /// Elements for one rank.
        each: usize,
        /// Elements for all ranks.
        all: usize,
        /// Number of ranks.
        ranks: usize,
    },
    /// A list of numbers of elements that has not one for each rank, or for each pair of ranks.
    #[error(
        "the list has {given} numbers of elements, and the communicator needs {expected}: pass one for each rank, or a matrix \
         with one for each pair of ranks"
    )]
    Counts {
        /// Numbers in the list.
        given: usize,
        /// Numbers that the communicator needs.
        expected: usize,
    },
    /// Numbers of elements whose sum is so large that no memory has so many elements.
    #[error(
        "the number {number} makes the sum of the numbers of elements too large: no memory has more than {most} elements of 8 \
         bytes"
    )]
    CountOverflow {
        /// The first number with which the sum is too large.
        number: usize,
        /// The largest sum.
        most: usize,
    },
    /// A list of numbers of elements that was made for an earlier communicator of the same name.
    #[error(
        "{call}: the list of numbers of elements is for {listed} ranks, and the communicator has {ranks}: make it by \
         `Ranks::counts` of this communicator"
    )]
    OtherSize {
        /// The C function.
        call: &'static str,
        /// Ranks of the list.
        listed: usize,
        /// Ranks of the communicator.
        ranks: usize,
    },
    /// A buffer of another length than the list of numbers of elements says.
    #[error(
        "{call}: `{buffer}` has {len} elements, and the list says {counted}: pass a part of {counted} elements, or change the \
         list on every rank"
    )]
    Counted {
        /// The C function.
        call: &'static str,
        /// The buffer: `send` or `recv`.
        buffer: &'static str,
        /// Elements of the buffer.
        len: usize,
        /// Elements that the list says.
        counted: usize,
    },
    /// A rank that sends itself another number of elements than it receives from itself.
    #[error(
        "{call}: rank {rank} is this rank itself, to which it sends {sent} elements and from which it receives {received}: pass \
         one number at this place of both lists"
    )]
    OwnPart {
        /// The C function.
        call: &'static str,
        /// The own rank.
        rank: u32,
        /// Elements that it sends itself.
        sent: usize,
        /// Elements that it receives from itself.
        received: usize,
    },
    /// An operation that the product lacks, for these elements or at all.
    #[error(
        "{call}: HCCL on {product} does not have this operation for these elements: convert the elements by `op::cast`, or \
         use another operation (the manual of HCCL lists those of each product)"
    )]
    Product {
        /// The C function.
        call: &'static str,
        /// The product.
        product: &'static str,
    },
    /// A second communicator of one name on a device.
    #[error(
        "device {device} has a communicator with the name `{name}` already (one that is queued or was forgotten counts): \
         destroy it first, or declare another name (`impl CommName`)"
    )]
    NameTaken {
        /// The type that is the name.
        name: &'static str,
        /// The device id.
        device: u32,
    },
    /// A communicator of a device whose communicators another thread has.
    #[error(
        "another thread has communicators of device {device}, and HCCL runs one call of a device at a time: use all \
         communicators of a device on one thread"
    )]
    OtherThread {
        /// The device id.
        device: u32,
    },
    /// A device twice in a list of ranks.
    #[error("device {device} is in the list twice: a device is one rank")]
    DeviceTwice {
        /// The device id.
        device: u32,
    },
    /// A communicator on a thread that is bound to another device or context than that of the communicator.
    #[error(
        "rank {rank} is device {device}, and this thread is bound to device {current} or to another context of it: attach \
         the detached communicator on the thread that is bound to its device"
    )]
    OtherDevice {
        /// The rank.
        rank: u32,
        /// The device id of the rank.
        device: u32,
        /// The device id of the thread.
        current: u32,
    },
    /// Bytes that are no root information.
    #[error(
        "{bytes} bytes are no root information: it has {expected}, and ends with a zero byte; send all bytes of \
         `RootInfo::to_bytes` from the rank that has made it"
    )]
    RootInfo {
        /// Number of bytes.
        bytes: usize,
        /// Number of bytes of a root information.
        expected: usize,
    },
    /// A name that HCCL cannot take.
    #[error("{name:?} is no name of a communicator: a name has 1 to 127 bytes, none of them zero")]
    CommName {
        /// The name.
        name: String,
    },
    /// A list of ranks that is no part of a communicator.
    #[error(
        "the ranks {ranks:?} with the id {id} are no part of the communicator for rank {rank}: the list has each rank once, \
         and the own one; the id is any number but 4294967295; the other ranks leave the call out"
    )]
    Part {
        /// The own rank.
        rank: u32,
        /// The list.
        ranks: Vec<u32>,
        /// The id.
        id: u64,
    },
}

impl From<CollectiveMismatch> for Usage {
    fn from(wrong: CollectiveMismatch) -> Usage {
        Usage::Collective(wrong)
    }
}

impl From<CollectiveMismatch> for Error {
    fn from(wrong: CollectiveMismatch) -> Error {
        Usage::from(wrong).into()
    }
}
