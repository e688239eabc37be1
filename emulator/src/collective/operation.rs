//! Collective operations with one number of elements for all ranks.

use std::ffi::c_void;

use ascendcl_sys::{
    HCCL_DATA_TYPE_FP32, HcclComm, HcclDataType, HcclReduceOp, HcclResult, aclrtStream,
};

use super::call::{Call, Half, Shared, apart, operation};
use super::group;
use super::handle::find;
use super::shares::Shares;
use super::submit::collective;
use super::{are_null, code, pointers, wrong};
use crate::object_calls::attempt;

pub(crate) unsafe extern "C" fn HcclAllReduce(
    sendBuf: *mut c_void,
    recvBuf: *mut c_void,
    count: u64,
    dataType: HcclDataType,
    op: HcclReduceOp,
    comm: HcclComm,
    stream: aclrtStream,
) -> HcclResult {
    let shared = Shared {
        name: "HcclAllReduce",
        count,
        dtype: dataType,
        comm,
        stream,
        pointers: &are_null![comm, sendBuf, recvBuf, stream],
        everywhere: true,
    };
    operation(shared, &|call| {
        let send = Half::new(sendBuf, call.same());
        call.reduction(op, None, send, Half::new(recvBuf, Shares::one(0..call.len)))
    })
}

pub(crate) unsafe extern "C" fn HcclReduce(
    sendBuf: *mut c_void,
    recvBuf: *mut c_void,
    count: u64,
    dataType: HcclDataType,
    op: HcclReduceOp,
    root: u32,
    comm: HcclComm,
    stream: aclrtStream,
) -> HcclResult {
    let shared = Shared {
        name: "HcclReduce",
        count,
        dtype: dataType,
        comm,
        stream,
        pointers: &are_null![comm, sendBuf, recvBuf, stream],
        everywhere: false,
    };
    operation(shared, &|call| {
        let received = if call.is_root(root) { call.len } else { 0 };
        let send = Half::new(sendBuf, call.only(root, 0..call.len, 0..0));
        call.reduction(
            op,
            Some(root),
            send,
            Half::new(recvBuf, Shares::one(0..received)),
        )
    })
}

pub(crate) unsafe extern "C" fn HcclReduceScatter(
    sendBuf: *mut c_void,
    recvBuf: *mut c_void,
    recvCount: u64,
    dataType: HcclDataType,
    op: HcclReduceOp,
    comm: HcclComm,
    stream: aclrtStream,
) -> HcclResult {
    let shared = Shared {
        name: "HcclReduceScatter",
        count: recvCount,
        dtype: dataType,
        comm,
        stream,
        pointers: &are_null![stream, comm, sendBuf, recvBuf],
        everywhere: true,
    };
    operation(shared, &|call| {
        let send = Half::new(sendBuf, call.each());
        call.reduction(op, None, send, Half::new(recvBuf, Shares::one(0..call.len)))
    })
}

pub(crate) unsafe extern "C" fn HcclAllGather(
    sendBuf: *mut c_void,
    recvBuf: *mut c_void,
    sendCount: u64,
    dataType: HcclDataType,
    comm: HcclComm,
    stream: aclrtStream,
) -> HcclResult {
    let shared = Shared {
        name: "HcclAllGather",
        count: sendCount,
        dtype: dataType,
        comm,
        stream,
        pointers: &are_null![comm, sendBuf, recvBuf, stream],
        everywhere: true,
    };
    operation(shared, &|call| {
        let send = Half::new(sendBuf, call.same());
        Ok(call.plan(send, Half::new(recvBuf, call.each())))
    })
}

pub(crate) unsafe extern "C" fn HcclBroadcast(
    buf: *mut c_void,
    count: u64,
    dataType: HcclDataType,
    root: u32,
    comm: HcclComm,
    stream: aclrtStream,
) -> HcclResult {
    let shared = Shared {
        name: "HcclBroadcast",
        count,
        dtype: dataType,
        comm,
        stream,
        pointers: &are_null![stream, comm, buf],
        everywhere: false,
    };
    operation(shared, &|call| {
        let (send, recv) = if call.is_root(root) {
            let gives = call.only(root, 0..0, 0..call.len);
            (Half::new(buf, gives), Half::default())
        } else {
            (
                Half::default(),
                Half::new(buf, call.only(root, 0..call.len, 0..0)),
            )
        };
        call.rooted(Some(root), send, recv)
    })
}

pub(crate) unsafe extern "C" fn HcclScatter(
    sendBuf: *mut c_void,
    recvBuf: *mut c_void,
    recvCount: u64,
    dataType: HcclDataType,
    root: u32,
    comm: HcclComm,
    stream: aclrtStream,
) -> HcclResult {
    let name = "HcclScatter";
    // Only the root needs memory to send.
    let is_root = || find(name, comm).is_ok_and(|communicator| communicator.rank == root);
    let shared = Shared {
        name,
        count: recvCount,
        dtype: dataType,
        comm,
        stream,
        pointers: &[
            ("comm", comm.is_null()),
            ("recvBuf", recvBuf.is_null()),
            ("stream", stream.is_null()),
            ("sendBuf", sendBuf.is_null() && is_root()),
        ],
        everywhere: false,
    };
    operation(shared, &|call| {
        let send = if call.is_root(root) {
            Half::new(sendBuf, call.each())
        } else {
            Half::default()
        };
        let recv = Half::new(recvBuf, call.only(root, 0..call.len, 0..0));
        call.rooted(Some(root), send, recv)
    })
}

pub(crate) unsafe extern "C" fn HcclAlltoAll(
    sendBuf: *const c_void,
    sendCount: u64,
    sendType: HcclDataType,
    recvBuf: *const c_void,
    recvCount: u64,
    recvType: HcclDataType,
    comm: HcclComm,
    stream: aclrtStream,
) -> HcclResult {
    let name = "HcclAlltoAll";
    let check = || {
        if sendCount == 0 && recvCount == 0 {
            return Ok(());
        }
        let buffers = are_null![sendBuf, recvBuf];
        pointers(name, &buffers)?;
        if sendCount != recvCount {
            return Err(wrong(
                name,
                format_args!(
                    "sendCount is {sendCount} and recvCount is {recvCount}; pass one number"
                ),
            ));
        }
        if sendType != recvType {
            return Err(wrong(
                name,
                format_args!(
                    "sendType is {sendType:?} and recvType is {recvType:?}; pass one type"
                ),
            ));
        }
        let others = are_null![stream, comm];
        pointers(name, &others)?;
        apart(name, sendBuf, recvBuf)
    };
    attempt!(check());
    let shared = Shared {
        name,
        count: sendCount,
        dtype: sendType,
        comm,
        stream,
        pointers: &[],
        everywhere: true,
    };
    operation(shared, &|call| {
        let send = Half::new(sendBuf, call.each());
        Ok(call.plan(send, Half::new(recvBuf, call.each())))
    })
}

/// The runtime of CANN reduces private memory here. No memory is needed to wait.
pub(crate) unsafe extern "C" fn HcclBarrier(comm: HcclComm, stream: aclrtStream) -> HcclResult {
    let name = "HcclBarrier";
    let run = || {
        let arguments = are_null![comm, stream];
        pointers(name, &arguments)?;
        group::outside(name)?;
        let call = Call::new(name, comm, 0, HCCL_DATA_TYPE_FP32)?;
        let plan = call.plan(Half::default(), Half::default());
        collective(name, &call.communicator, stream, plan)
    };
    code(run())
}
