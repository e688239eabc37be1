//! Messages from one rank to another one.

use std::ffi::c_void;
use std::sync::Arc;

use ascendcl_sys::{HCCL_SEND, HcclComm, HcclDataType, HcclResult, HcclSendRecvItem, aclrtStream};

use super::element::{available, bytes};
use super::group;
use super::handle::{Communicator, find};
use super::key::Link;
use super::movement::Terms;
use super::shares::Shares;
use super::submit::{Memory, Next, Pending, submit};
use super::{are_null, code, pointers, wrong};
use crate::results::list_of;

/// One side of a message.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side {
    sends: bool,
    /// The address of the memory.
    buffer: usize,
    count: u64,
    dtype: HcclDataType,
    /// The other rank.
    other: u32,
}

impl Side {
    /// Checks the side and returns the bytes of its memory.
    fn check(self, call: &str, communicator: &Communicator) -> Result<usize, HcclResult> {
        let size = bytes(call, self.count, self.dtype)?;
        if self.other >= communicator.size {
            let word = if self.sends { "destRank" } else { "srcRank" };
            return Err(wrong(
                call,
                format_args!(
                    "{word} is {}; the communicator has {} ranks, from 0",
                    self.other, communicator.size
                ),
            ));
        }
        Ok(usize::try_from(self.count).unwrap_or(usize::MAX) * size)
    }

    /// Returns the ranks from and to which the message goes.
    fn direction(self, communicator: &Communicator) -> (u32, u32) {
        if self.sends {
            (communicator.rank, self.other)
        } else {
            (self.other, communicator.rank)
        }
    }

    fn next(self, in_batch: bool) -> Next {
        Next::Message {
            other: self.other,
            sends: self.sends,
            in_batch,
        }
    }

    fn plan(self, len: usize) -> Pending {
        let memory = Memory {
            address: self.buffer,
            len,
        };
        let none = Memory::default();
        let terms = Terms {
            operation: "a message",
            dtype: self.dtype,
            count: Some(self.count),
            reduction: None,
            root: None,
        };
        // The sender has slot 0 and the receiver slot 1.
        if self.sends {
            Pending {
                terms,
                send: memory,
                recv: none,
                gives: Shares::List(vec![0..0, 0..len]),
                takes: Shares::default(),
            }
        } else {
            Pending {
                terms,
                send: none,
                recv: memory,
                gives: Shares::default(),
                takes: Shares::one(0..len),
            }
        }
    }
}

/// Queues a message.
fn message(name: &'static str, comm: HcclComm, side: Side, stream: aclrtStream) -> HcclResult {
    let run = || {
        if side.count == 0 {
            return Ok(());
        }
        let buffer = if side.sends { "sendBuf" } else { "recvBuf" };
        let arguments = [
            ("comm", comm.is_null()),
            (buffer, side.buffer == 0),
            ("stream", stream.is_null()),
        ];
        pointers(name, &arguments)?;
        available(name, true, false)?;
        let communicator = find(name, comm)?;
        let len = side.check(name, &communicator)?;
        if communicator.size == 1 {
            return Ok(());
        }
        if group::is_open() {
            return group::add_message(name, &communicator, stream, (side, len));
        }
        if side.other == communicator.rank {
            return Err(wrong(
                name,
                format_args!(
                    "the other rank is {}, the own one; pass another rank, or use HcclBatchSendRecv",
                    side.other
                ),
            ));
        }
        let (from, to) = side.direction(&communicator);
        let plans = vec![(side.next(false), side.plan(len))];
        let link = Some(Link::Pair(from, to));
        submit(name, &communicator, stream, plans, link)
    };
    code(run())
}

pub(crate) unsafe extern "C" fn HcclSend(
    sendBuf: *mut c_void,
    count: u64,
    dataType: HcclDataType,
    destRank: u32,
    comm: HcclComm,
    stream: aclrtStream,
) -> HcclResult {
    let side = Side {
        sends: true,
        buffer: sendBuf.addr(),
        count,
        dtype: dataType,
        other: destRank,
    };
    message("HcclSend", comm, side, stream)
}

pub(crate) unsafe extern "C" fn HcclRecv(
    recvBuf: *mut c_void,
    count: u64,
    dataType: HcclDataType,
    srcRank: u32,
    comm: HcclComm,
    stream: aclrtStream,
) -> HcclResult {
    let side = Side {
        sends: false,
        buffer: recvBuf.addr(),
        count,
        dtype: dataType,
        other: srcRank,
    };
    message("HcclRecv", comm, side, stream)
}

pub(crate) unsafe extern "C" fn HcclBatchSendRecv(
    sendRecvInfo: *mut HcclSendRecvItem,
    itemNum: u32,
    comm: HcclComm,
    stream: aclrtStream,
) -> HcclResult {
    let name = "HcclBatchSendRecv";
    let run = || {
        let arguments = are_null![comm, stream, sendRecvInfo];
        pointers(name, &arguments)?;
        if itemNum == 0 {
            return Ok(());
        }
        available(name, true, false)?;
        group::outside(name)?;
        let communicator = find(name, comm)?;
        // SAFETY: not null; the caller's contract: `itemNum` items.
        let items = unsafe { std::slice::from_raw_parts(sendRecvInfo, itemNum as usize) };
        let mut sides = Vec::new();
        // An item without memory is left out.
        for item in items.iter().filter(|item| !item.buf.is_null()) {
            let side = Side {
                sends: item.sendRecvType == HCCL_SEND,
                buffer: item.buf.addr(),
                count: item.count,
                dtype: item.dataType,
                other: item.remoteRank,
            };
            sides.push((side, side.check(name, &communicator)?));
        }
        batch(name, &communicator, &sides, stream)
    };
    code(run())
}

/// Queues messages as one task. They do not block each other.
pub(super) fn batch(
    call: &'static str,
    communicator: &Arc<Communicator>,
    sides: &[(Side, usize)],
    stream: aclrtStream,
) -> Result<(), HcclResult> {
    own_messages(call, communicator, sides)?;
    let plans = sides.iter();
    let plans = plans.map(|(side, len)| (side.next(true), side.plan(*len)));
    submit(call, communicator, stream, list_of(plans), None)
}

/// Checks the messages to the own rank: each one that is sent has to be received in the same call, in the same order.
fn own_messages(
    call: &str,
    communicator: &Communicator,
    sides: &[(Side, usize)],
) -> Result<(), HcclResult> {
    let own = |sends: bool| {
        sides
            .iter()
            .map(|(side, _)| *side)
            .filter(move |side| side.other == communicator.rank && side.sends == sends)
    };
    let differ = own(true)
        .zip(own(false))
        .any(|(sent, received)| (sent.count, sent.dtype) != (received.count, received.dtype));
    if differ || own(true).count() != own(false).count() {
        return Err(wrong(
            call,
            format_args!(
                "the messages to the own rank {} are not received as they are sent; pass a receiving item with \
                 the same count and type for each sending one",
                communicator.rank
            ),
        ));
    }
    Ok(())
}
