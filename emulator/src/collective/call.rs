//! The parts that the collective operations share: their checks, and the memory of a rank.

use std::ffi::c_void;
use std::ops::Range;
use std::sync::Arc;

use ascendcl_sys::{HcclComm, HcclDataType, HcclReduceOp, HcclResult, aclrtStream};

use super::element::{available, bytes, reducible};
use super::handle::{Communicator, find};
use super::movement::Terms;
use super::shares::Shares;
use super::submit::{Memory, Pending, collective};
use super::{code, pointers, wrong};

/// A call after its null checks.
pub(super) struct Call {
    pub(super) call: &'static str,
    pub(super) communicator: Arc<Communicator>,
    pub(super) count: u64,
    pub(super) dtype: HcclDataType,
    /// The bytes of `count` elements.
    pub(super) len: usize,
}

impl Call {
    pub(super) fn new(
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

    pub(super) fn ranks(&self) -> usize {
        self.communicator.size as usize
    }

    pub(super) fn is_root(&self, root: u32) -> bool {
        root == self.communicator.rank
    }

    /// The part of a rank in an operation with a root, whose number is checked.
    pub(super) fn rooted(
        &self,
        root: Option<u32>,
        send: Half,
        recv: Half,
    ) -> Result<Pending, HcclResult> {
        let size = self.communicator.size;
        if let Some(root) = root.filter(|root| *root >= size) {
            return Err(wrong(
                self.call,
                format_args!("root is {root}; the communicator has {size} ranks, from 0"),
            ));
        }
        let mut plan = self.plan(send, recv);
        plan.terms.root = root;
        Ok(plan)
    }

    /// The part of a rank, without a root and without a reduction.
    pub(super) fn plan(&self, send: Half, recv: Half) -> Pending {
        Pending {
            terms: Terms {
                operation: self.call,
                dtype: self.dtype,
                count: Some(self.count),
                reduction: None,
                root: None,
            },
            send: send.memory,
            recv: recv.memory,
            gives: send.shares,
            takes: recv.shares,
        }
    }

    /// The part of a rank in a reduction.
    pub(super) fn reduction(
        &self,
        op: HcclReduceOp,
        root: Option<u32>,
        send: Half,
        recv: Half,
    ) -> Result<Pending, HcclResult> {
        reducible(self.call, self.dtype, op)?;
        let mut plan = self.rooted(root, send, recv)?;
        plan.terms.reduction = Some(op);
        Ok(plan)
    }

    /// The same range for each rank.
    pub(super) fn same(&self) -> Shares {
        Shares::same(0..self.len, self.ranks())
    }

    /// A range of its own for each rank, in their order.
    pub(super) fn each(&self) -> Shares {
        Shares::Even {
            start: 0,
            len: self.len,
            step: self.len,
            ranks: self.ranks(),
        }
    }

    /// Bytes for one rank, and others for all other ranks.
    pub(super) fn only(&self, rank: u32, range: Range<usize>, others: Range<usize>) -> Shares {
        let mut ranges = vec![others; self.ranks()];
        if let Some(of) = ranges.get_mut(rank as usize) {
            *of = range;
        }
        Shares::List(ranges)
    }
}

/// The memory of a direction, and its bytes for each rank.
#[derive(Debug, Default)]
pub(super) struct Half {
    memory: Memory,
    shares: Shares,
}

impl Half {
    /// The memory at a pointer that the shares of the ranks reach.
    pub(super) fn new(pointer: *const c_void, shares: Shares) -> Half {
        Half {
            memory: Memory::of(pointer, &shares),
            shares,
        }
    }
}

/// The arguments that the operations share.
pub(super) struct Shared<'a> {
    pub(super) name: &'static str,
    pub(super) count: u64,
    pub(super) dtype: HcclDataType,
    pub(super) comm: HcclComm,
    pub(super) stream: aclrtStream,
    /// The pointers in the order of their checks, and whether they are null.
    pub(super) pointers: &'a [(&'a str, bool)],
    /// Whether products of the 310P series have the operation.
    pub(super) everywhere: bool,
}

/// Checks the arguments that the operations share, in the order of the library, and queues the part of this rank.
pub(super) fn operation(
    shared: Shared<'_>,
    plan: &dyn Fn(&Call) -> Result<Pending, HcclResult>,
) -> HcclResult {
    let name = shared.name;
    let run = || {
        if shared.count == 0 {
            Communicator::skip(shared.comm, name);
            return Ok(());
        }
        pointers(name, shared.pointers)?;
        if !shared.everywhere {
            available(name, true, false)?;
        }
        let call = Call::new(name, shared.comm, shared.count, shared.dtype)?;
        let plan = plan(&call)?;
        collective(name, &call.communicator, shared.stream, plan)
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
