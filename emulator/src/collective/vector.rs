//! Collective operations with a number of elements of its own for each rank.

use std::ffi::c_void;
use std::sync::Arc;

use ascendcl_sys::{HcclComm, HcclDataType, HcclReduceOp, HcclResult, aclrtStream};

use super::call::apart;
use super::element::{available, bytes, reducible};
use super::handle::{Communicator, find};
use super::movement::Terms;
use super::shares::Shares;
use super::submit::{Memory, Pending, collective};
use super::{are_null, code, pointers, wrong};
use crate::results::{every, list_of};

/// Reads one number for each rank.
///
/// # Safety
///
/// `numbers` points to as many `u64` as there are.
unsafe fn numbers(numbers: *const c_void, count: usize) -> Vec<u64> {
    let numbers = numbers.cast::<u64>();
    let read = |index: usize| {
        // SAFETY: the caller's contract.
        unsafe { numbers.wrapping_add(index).read_unaligned() }
    };
    list_of((0..count).map(read))
}

/// Returns the ranges of bytes that counts and displacements stand for.
fn ranges(
    call: &str,
    counts: &[u64],
    displacements: &[u64],
    dtype: HcclDataType,
) -> Result<Shares, HcclResult> {
    let each = counts.iter().zip(displacements).map(|(count, start)| {
        let size = bytes(call, *count, dtype)?;
        let end = start.checked_add(*count).and_then(|end| {
            let end = usize::try_from(end).ok()?;
            end.checked_mul(size)
        });
        let end = end.ok_or_else(|| {
            wrong(
                call,
                format_args!("{count} elements begin at {start}; no memory has so many"),
            )
        })?;
        let len = usize::try_from(*count).unwrap_or(0) * size;
        Ok(end - len..end)
    });
    every(each).map(Shares::List)
}

/// Places that follow each other.
fn in_order(counts: &[u64]) -> Vec<u64> {
    let mut next = 0_u64;
    let place = |count: &u64| {
        let start = next;
        next = next.saturating_add(*count);
        start
    };
    list_of(counts.iter().map(place))
}

fn terms(call: &'static str, dtype: HcclDataType) -> Terms {
    Terms {
        operation: call,
        dtype,
        count: None,
        reduction: None,
        root: None,
    }
}

/// Refuses an own number that differs from that of the list.
fn own(
    call: &str,
    communicator: &Communicator,
    (name, number): (&str, u64),
    (list, numbers): (&str, &[u64]),
) -> Result<(), HcclResult> {
    let listed = numbers.get(communicator.rank as usize).copied();
    if listed == Some(number) {
        return Ok(());
    }
    Err(wrong(
        call,
        format_args!(
            "{name} is {number}, and {list}[{}] of the own rank is {}; pass one number",
            communicator.rank,
            listed.unwrap_or(0)
        ),
    ))
}

pub(crate) unsafe extern "C" fn HcclAllGatherV(
    sendBuf: *mut c_void,
    sendCount: u64,
    recvBuf: *mut c_void,
    recvCounts: *const c_void,
    recvDispls: *const c_void,
    dataType: HcclDataType,
    comm: HcclComm,
    stream: aclrtStream,
) -> HcclResult {
    let name = "HcclAllGatherV";
    let run = || {
        let arguments = [
            ("recvCounts", recvCounts.is_null()),
            ("recvDispls", recvDispls.is_null()),
            ("comm", comm.is_null()),
            ("stream", stream.is_null()),
            ("sendBuf", sendCount > 0 && sendBuf.is_null()),
        ];
        pointers(name, &arguments)?;
        available(name, false, true)?;
        let communicator = find(name, comm)?;
        let ranks = communicator.size as usize;
        bytes(name, 0, dataType)?;
        // SAFETY: not null; the caller's contract: a number for each rank.
        let counts = unsafe { numbers(recvCounts, ranks) };
        // SAFETY: not null; the caller's contract: a number for each rank.
        let starts = unsafe { numbers(recvDispls, ranks) };
        let takes = ranges(name, &counts, &starts, dataType)?;
        if counts.iter().all(|count| *count == 0) {
            return Ok(());
        }
        pointers(name, &are_null![recvBuf])?;
        own(
            name,
            &communicator,
            ("sendCount", sendCount),
            ("recvCounts", &counts),
        )?;
        let sent = ranges(name, &[sendCount], &[0], dataType)?;
        let plan = Pending {
            terms: terms(name, dataType),
            send: Memory::of(sendBuf, &sent),
            recv: Memory::of(recvBuf, &takes),
            gives: Shares::same(sent.get(0).unwrap_or_default(), ranks),
            takes,
        };
        collective(name, &communicator, stream, plan)
    };
    code(run())
}

pub(crate) unsafe extern "C" fn HcclReduceScatterV(
    sendBuf: *mut c_void,
    sendCounts: *const c_void,
    sendDispls: *const c_void,
    recvBuf: *mut c_void,
    recvCount: u64,
    dataType: HcclDataType,
    op: HcclReduceOp,
    comm: HcclComm,
    stream: aclrtStream,
) -> HcclResult {
    let name = "HcclReduceScatterV";
    let run = || {
        let arguments = [
            ("stream", stream.is_null()),
            ("sendCounts", sendCounts.is_null()),
            ("sendDispls", sendDispls.is_null()),
            ("comm", comm.is_null()),
            ("recvBuf", recvCount > 0 && recvBuf.is_null()),
        ];
        pointers(name, &arguments)?;
        available(name, false, true)?;
        let communicator = find(name, comm)?;
        let ranks = communicator.size as usize;
        bytes(name, 0, dataType)?;
        reducible(name, dataType, op)?;
        // SAFETY: not null; the caller's contract: a number for each rank.
        let counts = unsafe { numbers(sendCounts, ranks) };
        // SAFETY: not null; the caller's contract: a number for each rank.
        let starts = unsafe { numbers(sendDispls, ranks) };
        let gives = ranges(name, &counts, &starts, dataType)?;
        if counts.iter().all(|count| *count == 0) {
            return Ok(());
        }
        pointers(name, &are_null![sendBuf])?;
        own(
            name,
            &communicator,
            ("recvCount", recvCount),
            ("sendCounts", &counts),
        )?;
        let takes = ranges(name, &[recvCount], &[0], dataType)?;
        let plan = Pending {
            terms: Terms {
                reduction: Some(op),
                ..terms(name, dataType)
            },
            send: Memory::of(sendBuf, &gives),
            recv: Memory::of(recvBuf, &takes),
            gives,
            takes,
        };
        collective(name, &communicator, stream, plan)
    };
    code(run())
}

/// The two sides of an exchange between all ranks.
struct AllToAll {
    send: (*const c_void, Shares, HcclDataType),
    recv: (*const c_void, Shares),
}

fn all_to_all(
    name: &'static str,
    communicator: &Arc<Communicator>,
    stream: aclrtStream,
    of: AllToAll,
) -> Result<(), HcclResult> {
    let (sendBuf, gives, dtype) = of.send;
    let (recvBuf, takes) = of.recv;
    let (send, recv) = (Memory::of(sendBuf, &gives), Memory::of(recvBuf, &takes));
    let missing = [
        ("sendBuf", send.len > 0 && sendBuf.is_null()),
        ("recvBuf", recv.len > 0 && recvBuf.is_null()),
    ];
    pointers(name, &missing)?;
    let plan = Pending {
        terms: terms(name, dtype),
        send,
        recv,
        gives,
        takes,
    };
    collective(name, communicator, stream, plan)
}

pub(crate) unsafe extern "C" fn HcclAlltoAllV(
    sendBuf: *const c_void,
    sendCounts: *const c_void,
    sdispls: *const c_void,
    sendType: HcclDataType,
    recvBuf: *const c_void,
    recvCounts: *const c_void,
    rdispls: *const c_void,
    recvType: HcclDataType,
    comm: HcclComm,
    stream: aclrtStream,
) -> HcclResult {
    let name = "HcclAlltoAllV";
    let run = || {
        let arguments = are_null![sendCounts, sdispls, recvCounts, rdispls, stream, comm];
        pointers(name, &arguments)?;
        apart(name, sendBuf, recvBuf)?;
        let communicator = find(name, comm)?;
        let ranks = communicator.size as usize;
        let read = |counts, starts, dtype| {
            // SAFETY: not null; the caller's contract: a number for each rank.
            let counts = unsafe { numbers(counts, ranks) };
            // SAFETY: not null; the caller's contract: a number for each rank.
            let starts = unsafe { numbers(starts, ranks) };
            ranges(name, &counts, &starts, dtype)
        };
        let of = AllToAll {
            send: (sendBuf, read(sendCounts, sdispls, sendType)?, sendType),
            recv: (recvBuf, read(recvCounts, rdispls, recvType)?),
        };
        all_to_all(name, &communicator, stream, of)
    };
    code(run())
}

pub(crate) unsafe extern "C" fn HcclAlltoAllVC(
    sendBuf: *const c_void,
    sendCountMatrix: *const c_void,
    sendType: HcclDataType,
    recvBuf: *const c_void,
    recvType: HcclDataType,
    comm: HcclComm,
    stream: aclrtStream,
) -> HcclResult {
    let name = "HcclAlltoAllVC";
    let run = || {
        let arguments = are_null![sendCountMatrix, stream, comm];
        pointers(name, &arguments)?;
        apart(name, sendBuf, recvBuf)?;
        available(name, true, true)?;
        let communicator = find(name, comm)?;
        let (ranks, rank) = (communicator.size as usize, communicator.rank as usize);
        // SAFETY: not null; the caller's contract: a row for each rank, with a number for each rank.
        let matrix = unsafe { numbers(sendCountMatrix, ranks * ranks) };
        // The parts of the other ranks reach no memory of this one, and are numbers of elements all the same.
        ranges(name, &matrix, &in_order(&matrix), sendType)?;
        let rows = list_of(matrix.chunks(ranks));
        let sent = rows.get(rank).copied().unwrap_or_default();
        let received = rows.iter().filter_map(|row| row.get(rank).copied());
        let received: Vec<u64> = list_of(received);
        let of = AllToAll {
            send: (
                sendBuf,
                ranges(name, sent, &in_order(sent), sendType)?,
                sendType,
            ),
            recv: (
                recvBuf,
                ranges(name, &received, &in_order(&received), recvType)?,
            ),
        };
        all_to_all(name, &communicator, stream, of)
    };
    code(run())
}
