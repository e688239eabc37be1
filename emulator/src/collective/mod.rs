//! Collective communication (`hccl/hccl.h`) between ranks, each with a device. Ranks are threads or processes of one
//! machine.
//!
//! A rank joins a [`World`](world::World) and gets a communicator. Each operation of a communicator has an exchange
//! ([`exchange`]): every rank queues its part on a stream, and the memory is moved when the streams of all ranks have
//! reached their parts ([`movement`]), in blocks and on all cores ([`transfer`]).
//!
//! The process that makes a root information waits at a port for the ranks ([`listener`], [`rendezvous`]). If all of them
//! turn out to be threads of this process, they share a world and move memory. Otherwise each rank has a world of its
//! own and a connection to each other rank ([`net`]): when its stream reaches a part, it sends the others their bytes
//! ([`frame`]). The ranks of a rank table find the process of the first one by a name ([`cluster`]).
//!
//! The codes and the order of the checks are those of the legacy path of HCCL, which products up to the A3 use. These
//! are choices of the emulator:
//!
//! - A difference between the parts of the ranks (operation, count, element type, root) is found each time. The
//!   hardware compares the parts of the first operation only, and hangs later.
//! - A rank whose process has ended, or that has destroyed its communicator, fails those operations that need it, at
//!   once. A rank that waits for the others longer than the limit gives up its communicator: all later operations
//!   fail.
//! - Each process has emulated devices of its own. Two ranks with one device number are refused, as on one machine.
//! - Reductions go from rank 0 to the last rank. Each step is rounded to the element type, and whole numbers wrap.
//! - A communicator of one rank copies. Sending to the own rank is refused, except in `HcclBatchSendRecv`.
//! - Ranks with several root informations all meet at the first one.
//! - A captured operation is made by each run of its graph. Streams that are bound to a graph by hand are refused.

mod blob;
mod byte_span;
mod call;
mod captured;
mod cluster;
mod config;
mod connections;
mod element;
mod exchange;
mod frame;
mod group;
mod handle;
mod join;
mod key;
mod limits;
mod listener;
mod movement;
mod net;
mod operation;
mod p2p;
mod part;
mod ranges;
mod rendezvous;
mod shares;
mod submit;
mod table;
mod transfer;
mod vector;
mod wire;
mod world;

pub(crate) use cluster::{HcclCommInitClusterInfo, HcclCommInitClusterInfoConfig};
pub(crate) use config::{
    HcclGetCommConfig, HcclGetCommConfigCapability, HcclGetConfig, HcclSetCommConfig, HcclSetConfig,
};
pub(crate) use group::{HcclGroupEnd, HcclGroupStart};
pub(crate) use handle::{
    HcclCommDestroy, HcclCommResume, HcclCommSuspend, HcclGetCommAsyncError, HcclGetCommName,
    HcclGetErrorString, HcclGetRankId, HcclGetRankSize,
};
pub(crate) use join::{
    HcclCommInitAll, HcclCommInitRootInfo, HcclCommInitRootInfoConfig,
    HcclCommInitRootInfoScalable, HcclGetRootInfo, HcclGetRootInfoScalable,
};
pub(crate) use operation::{
    HcclAllGather, HcclAllReduce, HcclAlltoAll, HcclBarrier, HcclBroadcast, HcclReduce,
    HcclReduceScatter, HcclScatter,
};
pub(crate) use p2p::{HcclBatchSendRecv, HcclRecv, HcclSend};
pub(crate) use part::HcclCreateSubCommConfig;
pub(crate) use ranges::{
    HcclCommActivateCommMemory, HcclCommDeactivateCommMemory, HcclCommDeregister,
    HcclCommExchangeMem, HcclCommRegister, HcclCommSetMemoryRange, HcclCommSymWinDeregister,
    HcclCommSymWinGet, HcclCommSymWinRegister, HcclCommUnsetMemoryRange, HcclCommWorkingDevNicSet,
};
pub(crate) use vector::{HcclAllGatherV, HcclAlltoAllV, HcclAlltoAllVC, HcclReduceScatterV};
pub(crate) use world::look_at_end;

use std::fmt;

use ascendcl_sys::{
    HCCL_E_NOT_SUPPORT, HCCL_E_PARA, HCCL_E_PTR, HCCL_E_RUNTIME, HCCL_SUCCESS, HcclResult,
};

use crate::engine::current::{Current, current};
use crate::error::fail;
use crate::object_calls::attempt;

/// Stores the text of a failed call for the thread and returns the result.
#[cold]
fn refuse(result: HcclResult, text: fmt::Arguments<'_>) -> HcclResult {
    let _ = fail(result.0, text);
    result
}

/// Refuses an argument that is null.
#[cold]
fn null(call: &str, argument: &str) -> HcclResult {
    refuse(
        HCCL_E_PTR,
        format_args!("{call} failed: {argument} is NULL; pass a valid pointer or handle"),
    )
}

/// The names of pointers, and whether they are null.
macro_rules! are_null {
    ($($pointer:ident),+) => {
        [$((stringify!($pointer), $pointer.is_null())),+]
    };
}
use are_null;

/// Refuses a null pointer among these.
fn pointers(call: &str, arguments: &[(&str, bool)]) -> Result<(), HcclResult> {
    match arguments.iter().find(|(_, is_null)| *is_null) {
        Some((name, _)) => Err(null(call, name)),
        None => Ok(()),
    }
}

/// Refuses a parameter with a wrong value.
#[cold]
fn wrong(call: &str, text: fmt::Arguments<'_>) -> HcclResult {
    refuse(HCCL_E_PARA, format_args!("{call} failed: {text}"))
}

/// Refuses what the product or the emulator lacks.
#[cold]
fn unsupported(call: &str, text: fmt::Arguments<'_>) -> HcclResult {
    refuse(HCCL_E_NOT_SUPPORT, format_args!("{call} failed: {text}"))
}

/// Returns the current context of the thread. Without one the runtime, which HCCL calls, fails.
fn device(call: &str) -> Result<Current, HcclResult> {
    current(call).map_err(|_| HCCL_E_RUNTIME)
}

/// Returns the result of a call that was computed with `?`.
fn code(result: Result<(), HcclResult>) -> HcclResult {
    attempt!(result);
    HCCL_SUCCESS
}
