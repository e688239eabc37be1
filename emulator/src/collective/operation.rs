//! Collective operations with one number of elements for all ranks.

use std::ffi::c_void;
use std::ops::Range;
use std::sync::Arc;

use ascendcl_sys::{
    HCCL_DATA_TYPE_FP32, HcclComm, HcclDataType, HcclReduceOp, HcclResult, aclrtStream,
};

use super::element::{available, bytes, reducible};
use super::handle::{Communicator, find};
use super::movement::Terms;
use super::submit::{Memory, Plan, collective, one};
use super::{code, pointers, wrong};

/// A call after its null checks.
struct Call {
    call: &'static str,
    communicator: Arc<Communicator>,
    count: u64,
    dtype: HcclDataType,
    /// The bytes of `count` elements.
    len: usize,
}

impl Call {
    fn new(
        call: &'static str,
        comm: HcclComm,
        count: u64,
        dtype: HcclDataType,
    ) -> Result<Call, HcclResult> {
        let communicator = find(call, comm)?;
        let size = bytes(call, count, dtype)?;
        let len = usize::try_from(count).unwrap_or(usize::MAX) * size;
        let ranks = communicator.size as usize;
        if len.checked_mul(ranks).is_none() {
            return Err(wrong(
                call,
                format_args!(
                    "the count is {count}; no memory has so many elements for {ranks} ranks"
                ),
            ));
        }
        Ok(Call {
            call,
            communicator,
            count,
            dtype,
            len,
        })
    }

    fn ranks(&self) -> usize {
        self.communicator.size as usize
    }

    fn rank(&self) -> usize {
        self.communicator.rank as usize
    }

    /// Checks the number of the root, and returns whether this rank is the root.
    fn root(&self, root: u32) -> Result<bool, HcclResult> {
        let size = self.communicator.size;
        if root >= size {
            return Err(wrong(
                self.call,
                format_args!("root is {root}; the communicator has {size} ranks, from 0"),
            ));
        }
        Ok(root == self.communicator.rank)
    }

    fn terms(&self) -> Terms {
        Terms {
            operation: self.call,
            dtype: self.dtype,
            count: Some(self.count),
            reduction: None,
            root: None,
        }
    }

    /// The same range for each rank.
    fn same(&self) -> Vec<Range<usize>> {
        vec![0..self.len; self.ranks()]
    }

    /// A range of its own for each rank, in their order.
    fn each(&self) -> Vec<Range<usize>> {
        let start = |rank: usize| rank * self.len;
        let ranges = (0..self.ranks()).map(|rank| start(rank)..start(rank + 1));
        ranges.collect()
    }

    /// Nothing for all ranks but one, which gets `range`.
    fn only(&self, rank: u32, range: Range<usize>) -> Vec<Range<usize>> {
        let mut ranges = vec![0..0; self.ranks()];
        if let Some(of) = ranges.get_mut(rank as usize) {
            *of = range;
        }
        ranges
    }

    fn submit(&self, stream: aclrtStream, plan: Plan) -> Result<(), HcclResult> {
        collective(self.call, &self.communicator, stream, plan)
    }
}

fn memory(pointer: *const c_void, len: usize) -> Memory {
    Memory {
        address: pointer.addr(),
        len,
    }
}

pub(crate) unsafe extern "C" fn HcclAllReduce(
    sendBuf: *mut c_void,
    recvBuf: *mut c_void,
    count: u64,
    dataType: HcclDataType,
    op: HcclReduceOp,
    comm: HcclComm,
    stream: aclrtStream,
) -> HcclResult {
    let name = "HcclAllReduce";
    let run = || {
        if count == 0 {
            return Ok(());
        }
        let arguments = [
            ("comm", comm.is_null()),
            ("sendBuf", sendBuf.is_null()),
            ("recvBuf", recvBuf.is_null()),
            ("stream", stream.is_null()),
        ];
        pointers(name, &arguments)?;
        let call = Call::new(name, comm, count, dataType)?;
        reducible(name, dataType, op)?;
        let plan = Plan {
            terms: Terms {
                reduction: Some(op),
                ..call.terms()
            },
            send: memory(sendBuf, call.len),
            recv: memory(recvBuf, call.len),
            gives: call.same(),
            takes: one(0..call.len),
        };
        call.submit(stream, plan)
    };
    code(run())
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
    let name = "HcclReduce";
    let run = || {
        if count == 0 {
            return Ok(());
        }
        let arguments = [
            ("comm", comm.is_null()),
            ("sendBuf", sendBuf.is_null()),
            ("recvBuf", recvBuf.is_null()),
            ("stream", stream.is_null()),
        ];
        pointers(name, &arguments)?;
        available(name, true, false)?;
        let call = Call::new(name, comm, count, dataType)?;
        reducible(name, dataType, op)?;
        let received = if call.root(root)? { call.len } else { 0 };
        let plan = Plan {
            terms: Terms {
                reduction: Some(op),
                root: Some(root),
                ..call.terms()
            },
            send: memory(sendBuf, call.len),
            recv: memory(recvBuf, received),
            gives: call.only(root, 0..call.len),
            takes: one(0..received),
        };
        call.submit(stream, plan)
    };
    code(run())
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
    let name = "HcclReduceScatter";
    let run = || {
        if recvCount == 0 {
            return Ok(());
        }
        let arguments = [
            ("stream", stream.is_null()),
            ("comm", comm.is_null()),
            ("sendBuf", sendBuf.is_null()),
            ("recvBuf", recvBuf.is_null()),
        ];
        pointers(name, &arguments)?;
        let call = Call::new(name, comm, recvCount, dataType)?;
        reducible(name, dataType, op)?;
        let plan = Plan {
            terms: Terms {
                reduction: Some(op),
                ..call.terms()
            },
            send: memory(sendBuf, call.len * call.ranks()),
            recv: memory(recvBuf, call.len),
            gives: call.each(),
            takes: one(0..call.len),
        };
        call.submit(stream, plan)
    };
    code(run())
}

pub(crate) unsafe extern "C" fn HcclAllGather(
    sendBuf: *mut c_void,
    recvBuf: *mut c_void,
    sendCount: u64,
    dataType: HcclDataType,
    comm: HcclComm,
    stream: aclrtStream,
) -> HcclResult {
    let name = "HcclAllGather";
    let run = || {
        if sendCount == 0 {
            return Ok(());
        }
        let arguments = [
            ("comm", comm.is_null()),
            ("sendBuf", sendBuf.is_null()),
            ("recvBuf", recvBuf.is_null()),
            ("stream", stream.is_null()),
        ];
        pointers(name, &arguments)?;
        let call = Call::new(name, comm, sendCount, dataType)?;
        let plan = Plan {
            terms: call.terms(),
            send: memory(sendBuf, call.len),
            recv: memory(recvBuf, call.len * call.ranks()),
            gives: call.same(),
            takes: call.each(),
        };
        call.submit(stream, plan)
    };
    code(run())
}

pub(crate) unsafe extern "C" fn HcclBroadcast(
    buf: *mut c_void,
    count: u64,
    dataType: HcclDataType,
    root: u32,
    comm: HcclComm,
    stream: aclrtStream,
) -> HcclResult {
    let name = "HcclBroadcast";
    let run = || {
        if count == 0 {
            return Ok(());
        }
        let arguments = [
            ("stream", stream.is_null()),
            ("comm", comm.is_null()),
            ("buf", buf.is_null()),
        ];
        pointers(name, &arguments)?;
        available(name, true, false)?;
        let call = Call::new(name, comm, count, dataType)?;
        let is_root = call.root(root)?;
        let all = memory(buf, call.len);
        let none = Memory::default();
        let mut gives = call.same();
        if let Some(own) = gives.get_mut(call.rank()) {
            *own = 0..0;
        }
        let plan = Plan {
            terms: Terms {
                root: Some(root),
                ..call.terms()
            },
            send: if is_root { all } else { none },
            recv: if is_root { none } else { all },
            gives: if is_root { gives } else { Vec::new() },
            takes: if is_root {
                Vec::new()
            } else {
                call.only(root, 0..call.len)
            },
        };
        call.submit(stream, plan)
    };
    code(run())
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
    let run = || {
        if recvCount == 0 {
            return Ok(());
        }
        let arguments = [
            ("comm", comm.is_null()),
            ("recvBuf", recvBuf.is_null()),
            ("stream", stream.is_null()),
        ];
        pointers(name, &arguments)?;
        let is_root = find(name, comm)?.rank == root;
        pointers(name, &[("sendBuf", is_root && sendBuf.is_null())])?;
        available(name, true, false)?;
        let call = Call::new(name, comm, recvCount, dataType)?;
        call.root(root)?;
        let sent = if is_root { call.len * call.ranks() } else { 0 };
        let plan = Plan {
            terms: Terms {
                root: Some(root),
                ..call.terms()
            },
            send: memory(sendBuf, sent),
            recv: memory(recvBuf, call.len),
            gives: if is_root { call.each() } else { Vec::new() },
            takes: call.only(root, 0..call.len),
        };
        call.submit(stream, plan)
    };
    code(run())
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
    let run = || {
        if sendCount == 0 && recvCount == 0 {
            return Ok(());
        }
        let buffers = [
            ("sendBuf", sendBuf.is_null()),
            ("recvBuf", recvBuf.is_null()),
        ];
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
        pointers(
            name,
            &[("stream", stream.is_null()), ("comm", comm.is_null())],
        )?;
        apart(name, sendBuf, recvBuf)?;
        let call = Call::new(name, comm, sendCount, sendType)?;
        let len = call.len * call.ranks();
        let plan = Plan {
            terms: call.terms(),
            send: memory(sendBuf, len),
            recv: memory(recvBuf, len),
            gives: call.each(),
            takes: call.each(),
        };
        call.submit(stream, plan)
    };
    code(run())
}

/// Refuses one buffer for both directions.
pub(super) fn apart(
    call: &str,
    sendBuf: *const c_void,
    recvBuf: *const c_void,
) -> Result<(), HcclResult> {
    if sendBuf == recvBuf && !sendBuf.is_null() {
        return Err(wrong(
            call,
            format_args!("sendBuf and recvBuf are both {sendBuf:p}; pass two buffers"),
        ));
    }
    Ok(())
}

/// The runtime of CANN reduces private memory here. No memory is needed to wait.
pub(crate) unsafe extern "C" fn HcclBarrier(comm: HcclComm, stream: aclrtStream) -> HcclResult {
    let name = "HcclBarrier";
    let run = || {
        pointers(
            name,
            &[("comm", comm.is_null()), ("stream", stream.is_null())],
        )?;
        let call = Call::new(name, comm, 0, HCCL_DATA_TYPE_FP32)?;
        let plan = Plan {
            terms: call.terms(),
            send: Memory::default(),
            recv: Memory::default(),
            gives: Vec::new(),
            takes: Vec::new(),
        };
        call.submit(stream, plan)
    };
    code(run())
}
