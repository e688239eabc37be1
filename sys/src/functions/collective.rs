//! Collective communication between devices (`hccl/hccl.h`).
//!
//! The signatures are those of CANN 8.1 and of the releases after it. `HcclCommConfigInit` is no function of the
//! library: the header of C defines it inline, and [`HcclCommConfig`] has it as constructors.
//!
//! Counts and displacements of the calls with `V` are arrays of `u64` in host memory, in elements.

#[allow(unused_imports, reason = "an area may need types of any other")]
use crate::{structs::*, types::*};
#[allow(unused_imports, reason = "an area may need types of any other")]
use core::ffi::{c_char, c_void};

/// Calls `$callback!` with the functions of collective communication.
#[doc(hidden)]
#[macro_export]
macro_rules! collective_functions {
    ($callback:path) => {
        $callback! {
            area "collective", CollectiveTable;
            /// Makes the root information of a new communicator; only the root rank calls it.
            fn HcclGetRootInfo(rootInfo: *mut HcclRootInfo) -> HcclResult;
            /// Joins the communicator of a root information as one rank.
            fn HcclCommInitRootInfo(nRanks: u32, rootInfo: *const HcclRootInfo, rank: u32, comm: *mut HcclComm) -> HcclResult;
            /// Joins the communicator of a root information as one rank, with options.
            fn HcclCommInitRootInfoConfig(nRanks: u32, rootInfo: *const HcclRootInfo, rank: u32, config: *const HcclCommConfig, comm: *mut HcclComm) -> HcclResult;
            /// Makes the communicators of all ranks of one process: one rank for each device.
            fn HcclCommInitAll(ndev: u32, devices: *mut i32, comms: *mut HcclComm) -> HcclResult;
            /// Joins the communicator of a rank table, a JSON file.
            fn HcclCommInitClusterInfo(clusterInfo: *const c_char, rank: u32, comm: *mut HcclComm) -> HcclResult;
            /// Joins the communicator of a rank table, with options.
            fn HcclCommInitClusterInfoConfig(clusterInfo: *const c_char, rank: u32, config: *mut HcclCommConfig, comm: *mut HcclComm) -> HcclResult;
            /// Makes a communicator of some ranks of another one.
            fn HcclCreateSubCommConfig(comm: *mut HcclComm, rankNum: u32, rankIds: *mut u32, subCommId: u64, subCommRankId: u32, config: *mut HcclCommConfig, subComm: *mut HcclComm) -> HcclResult;
            /// Destroys a communicator, on the device that it was made on.
            fn HcclCommDestroy(comm: HcclComm) -> HcclResult;
            /// Returns the number of ranks.
            fn HcclGetRankSize(comm: HcclComm, rankSize: *mut u32) -> HcclResult;
            /// Returns the rank of the caller.
            fn HcclGetRankId(comm: HcclComm, rank: *mut u32) -> HcclResult;
            /// Copies the name of the communicator; `commName` has room for 128 bytes.
            fn HcclGetCommName(comm: HcclComm, commName: *mut c_char) -> HcclResult;
            /// Sets an option of the process.
            fn HcclSetConfig(config: HcclConfig, configValue: HcclConfigValue) -> HcclResult;
            /// Returns an option of the process.
            fn HcclGetConfig(config: HcclConfig, configValue: *mut HcclConfigValue) -> HcclResult;
            /// Returns the error of queued communication, if there is one.
            fn HcclGetCommAsyncError(comm: HcclComm, asyncError: *mut HcclResult) -> HcclResult;
            /// Returns a short text for a result.
            fn HcclGetErrorString(code: HcclResult) -> *const c_char;
            /// Returns a number above that of each option that the library knows.
            fn HcclGetCommConfigCapability() -> u32;
            /// Reduces memory of all ranks; every rank gets the result.
            fn HcclAllReduce(sendBuf: *mut c_void, recvBuf: *mut c_void, count: u64, dataType: HcclDataType, op: HcclReduceOp, comm: HcclComm, stream: aclrtStream) -> HcclResult;
            /// Copies memory of the root to every rank.
            fn HcclBroadcast(buf: *mut c_void, count: u64, dataType: HcclDataType, root: u32, comm: HcclComm, stream: aclrtStream) -> HcclResult;
            /// Reduces memory of all ranks; each rank gets its part of the result.
            fn HcclReduceScatter(sendBuf: *mut c_void, recvBuf: *mut c_void, recvCount: u64, dataType: HcclDataType, op: HcclReduceOp, comm: HcclComm, stream: aclrtStream) -> HcclResult;
            /// Reduces memory of all ranks; each rank gets a part of its own length.
            fn HcclReduceScatterV(sendBuf: *mut c_void, sendCounts: *const c_void, sendDispls: *const c_void, recvBuf: *mut c_void, recvCount: u64, dataType: HcclDataType, op: HcclReduceOp, comm: HcclComm, stream: aclrtStream) -> HcclResult;
            /// Copies to each rank its part of memory of the root.
            fn HcclScatter(sendBuf: *mut c_void, recvBuf: *mut c_void, recvCount: u64, dataType: HcclDataType, root: u32, comm: HcclComm, stream: aclrtStream) -> HcclResult;
            /// Copies memory of all ranks to every rank, in the order of the ranks.
            fn HcclAllGather(sendBuf: *mut c_void, recvBuf: *mut c_void, sendCount: u64, dataType: HcclDataType, comm: HcclComm, stream: aclrtStream) -> HcclResult;
            /// Copies memory of all ranks, of different lengths, to every rank.
            fn HcclAllGatherV(sendBuf: *mut c_void, sendCount: u64, recvBuf: *mut c_void, recvCounts: *const c_void, recvDispls: *const c_void, dataType: HcclDataType, comm: HcclComm, stream: aclrtStream) -> HcclResult;
            /// Reduces memory of all ranks; the root gets the result.
            fn HcclReduce(sendBuf: *mut c_void, recvBuf: *mut c_void, count: u64, dataType: HcclDataType, op: HcclReduceOp, root: u32, comm: HcclComm, stream: aclrtStream) -> HcclResult;
            /// Sends memory to a rank, which has to receive it.
            fn HcclSend(sendBuf: *mut c_void, count: u64, dataType: HcclDataType, destRank: u32, comm: HcclComm, stream: aclrtStream) -> HcclResult;
            /// Receives memory of a rank, which has to send it.
            fn HcclRecv(recvBuf: *mut c_void, count: u64, dataType: HcclDataType, srcRank: u32, comm: HcclComm, stream: aclrtStream) -> HcclResult;
            /// Sends and receives in one call; the items do not block each other.
            fn HcclBatchSendRecv(sendRecvInfo: *mut HcclSendRecvItem, itemNum: u32, comm: HcclComm, stream: aclrtStream) -> HcclResult;
            /// Copies a part of the memory of each rank to each other rank; the counts are per rank.
            fn HcclAlltoAll(sendBuf: *const c_void, sendCount: u64, sendType: HcclDataType, recvBuf: *const c_void, recvCount: u64, recvType: HcclDataType, comm: HcclComm, stream: aclrtStream) -> HcclResult;
            /// Copies parts of different lengths to each rank.
            fn HcclAlltoAllV(sendBuf: *const c_void, sendCounts: *const c_void, sdispls: *const c_void, sendType: HcclDataType, recvBuf: *const c_void, recvCounts: *const c_void, rdispls: *const c_void, recvType: HcclDataType, comm: HcclComm, stream: aclrtStream) -> HcclResult;
            /// Copies parts of different lengths to each rank; a matrix has the counts of all ranks.
            #[newer]
            fn HcclAlltoAllVC(sendBuf: *const c_void, sendCountMatrix: *const c_void, sendType: HcclDataType, recvBuf: *const c_void, recvType: HcclDataType, comm: HcclComm, stream: aclrtStream) -> HcclResult;
            /// Waits, on the stream, for all ranks.
            fn HcclBarrier(comm: HcclComm, stream: aclrtStream) -> HcclResult;
            /// Stops a communicator until it is resumed.
            fn HcclCommSuspend(comm: HcclComm) -> HcclResult;
            /// Resumes a stopped communicator.
            fn HcclCommResume(comm: HcclComm) -> HcclResult;
            /// Names a range of virtual addresses that communication may use without a copy.
            fn HcclCommSetMemoryRange(comm: HcclComm, baseVirPtr: *mut c_void, size: usize, alignment: usize, flags: u64) -> HcclResult;
            /// Removes a range of `HcclCommSetMemoryRange`.
            fn HcclCommUnsetMemoryRange(comm: HcclComm, baseVirPtr: *mut c_void) -> HcclResult;
            /// Names the physical memory of a part of such a range.
            fn HcclCommActivateCommMemory(comm: HcclComm, virPtr: *mut c_void, size: usize, offset: usize, memHandle: aclrtDrvMemHandle, flags: u64) -> HcclResult;
            /// Removes memory of `HcclCommActivateCommMemory`.
            fn HcclCommDeactivateCommMemory(comm: HcclComm, virPtr: *mut c_void) -> HcclResult;
            /// Begins a group of calls, which run at its end.
            #[newer]
            fn HcclGroupStart() -> HcclResult;
            /// Ends a group of calls.
            #[newer]
            fn HcclGroupEnd() -> HcclResult;
            /// Makes one of several root informations of a new communicator; each root rank calls it.
            #[newer]
            fn HcclGetRootInfoScalable(rootInfo: *mut HcclRootInfo) -> HcclResult;
            /// Joins the communicator of several root informations as one rank. All ranks pass the same list.
            #[newer]
            fn HcclCommInitRootInfoScalable(nRanks: u32, nRoot: u32, rootInfoList: *const HcclRootInfo, rank: u32, nExtRoot: u32, config: *const HcclCommConfig, comm: *mut HcclComm) -> HcclResult;
            /// Sets an option of one communicator.
            #[newer]
            fn HcclSetCommConfig(comm: HcclComm, config: HcclConfig, configValue: HcclConfigValue) -> HcclResult;
            /// Returns an option of one communicator.
            #[newer]
            fn HcclGetCommConfig(comm: HcclComm, config: HcclConfig, configValue: *mut HcclConfigValue) -> HcclResult;
            /// Selects the network card, or the one that stands in for it, of some ranks.
            #[newer]
            fn HcclCommWorkingDevNicSet(comm: HcclComm, ranks: *mut u32, useBackup: *mut bool, nRanks: u32) -> HcclResult;
            /// Registers memory that communication may use without a copy.
            #[newer]
            fn HcclCommRegister(comm: HcclComm, addr: *mut c_void, size: u64, handle: *mut *mut c_void, flag: u32) -> HcclResult;
            /// Removes memory of `HcclCommRegister`.
            #[newer]
            fn HcclCommDeregister(comm: HcclComm, handle: *mut c_void) -> HcclResult;
            /// Exchanges registered memory with other ranks.
            #[newer]
            fn HcclCommExchangeMem(comm: HcclComm, windowHandle: *mut c_void, peerRanks: *mut u32, peerRankNum: u32) -> HcclResult;
            /// Makes memory a symmetric window, which all ranks use without a copy. The flag is `HCCL_WIN_COLL_SYMMETRIC`.
            #[newer]
            fn HcclCommSymWinRegister(comm: HcclComm, addr: *mut c_void, size: u64, winHandle: *mut HcclCommSymWindow, flag: u32) -> HcclResult;
            /// Ends a symmetric window.
            #[newer]
            fn HcclCommSymWinDeregister(winHandle: HcclCommSymWindow) -> HcclResult;
            /// Returns the symmetric window of an address, and the place of the address in it.
            #[newer]
            fn HcclCommSymWinGet(comm: HcclComm, ptr: *mut c_void, size: usize, winHandle: *mut HcclCommSymWindow, offset: *mut usize) -> HcclResult;
        }
    };
}
collective_functions!(define);

#[cfg(feature = "loaded")]
pub(crate) use collective_functions;
