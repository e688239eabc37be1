//! AscendCL, the C runtime of Huawei Ascend NPUs, implemented in Rust on the CPU.
//!
//! [`api`] is a backend for `ascendcl-sys`: the functions of the C library, for machines without a
//! card, for tests, and for looking at what a program does wrong. It behaves as the production runtime
//! was observed to, down to the error codes and the order of the checks. Where that runtime crashes or
//! corrupts memory, this one returns an error and records a [`Violation`].
//!
//! ```
//! use ascendcl_sys::{ACL_SUCCESS, Origin};
//!
//! let origin = ascendcl_emulator::install()?;
//! assert_eq!(origin.to_string(), "the emulator");
//! // SAFETY: no pointers are involved.
//! assert_eq!(unsafe { ascendcl_sys::aclrtSetDevice(0) }, ACL_SUCCESS);
//! # Ok::<(), ascendcl_sys::AlreadyInstalled>(())
//! ```
//!
//! # What is not modelled
//!
//! Kernel binaries, events and notifies that processes share, and the operators beyond those of the list.
//! Kernels, jumps to labels of other streams or back, and functions of the program, notifies, external events and
//! waits for numbers in branches of conditional tasks, refuse with `ACL_ERROR_RT_FEATURE_NOT_SUPPORT` and say why (`refusal` has the kernels). Everything else that is
//! declared and not written here returns `ACL_ERROR_API_NOT_SUPPORT`, and `aclGetRecentErrMsg` names it. `cargo
//! xtask coverage` counts both.
//!
//! # What crashes
//!
//! Handles and device addresses are looked up, never followed: any value is allowed, and what names nothing is
//! refused. Followed are, as in C, pointers to results, structures, strings, arrays and values of the host, and the
//! functions that a program registers. Those that are not null and not valid crash. Ordinary host memory of copies
//! is looked at before it is used, at both ends.
//!
//! # What the checker changes
//!
//! No return code. Calls take longer under it (`ASCENDCL_EMULATOR_CHECK=1`, [`Check`]), a call with a finding by
//! milliseconds, and queued work goes on meanwhile. What depends on time turns out differently: work that meets
//! freed memory fails its synchronise with 507001, and may be over before the free under the checker. Page-locked
//! memory that queued work uses, or that a failed task should have written, is kept from the program: touching it
//! too early costs a fault that the checker hears of, and a system call that is given it fails with `EFAULT`.
//!
//! # What differs on purpose
//!
//! - A handle is never used again. The runtime gives a destroyed stream's or event's address to the next
//!   one, and destroying twice destroys that; it follows garbage and crashes. Here both are
//!   `ACL_ERROR_RT_INVALID_HANDLE`.
//! - An event ends with its device, which the last reset or the end of its last context releases.
//!   From then on each use is refused and recorded ([`What::EventUsedAfterReset`]). The runtime looks at the
//!   freed device: it crashes, or succeeds by luck once the device is set again.
//! - The default stream's handle is not destroyed (`ACL_ERROR_INVALID_PARAM`). The manual forbids to try, and the
//!   runtime has no check: it answers success, and the reset of the device crashes.
//! - A stream whose wait lost its event goes on, and that is recorded
//!   ([`What::EventDestroyedWhileAwaited`]).
//! - A run of a model instance is queued by the call that asks for it, task by task. A capture of more than
//!   2048 tasks in a stream makes that call wait for room, so it must not stand behind work that the same
//!   thread lets go on later; a card starts the run by itself.
//! - A conditional task runs its branch in its own place, one task after the other, and a WHILE all of its rounds
//!   in one go. A timeout does not interrupt them; if another stream is to end a WHILE, another thread has to run
//!   that stream meanwhile. A round in which a task fails is the last one. The checker takes what a branch does as something that may
//!   happen: it finds memory that is freed under it, and no other mistake inside.
//! - A branch of a conditional task runs and ends with the instance that it belongs to. Running or destroying it
//!   alone is `ACL_ERROR_RT_FEATURE_NOT_SUPPORT`: an assumption, as is the limit of 4096 branches. Each branch takes
//!   as many streams as are captured into it, of those that a device has.
//! - Memory ends where its allocation does, padding included; a card checks whole pages.
//! - Whether there is memory at an address of the host is looked at for the first and the last page of a range, and
//!   remembered: what the program gives back to the system after a copy with it still faults.
//! - Copies and fills of bytes go over several mappings of physical memory; copies of rows, fills with words, random
//!   numbers and operators have to stay in one.
//! - Random numbers are not those of a card, though they come from the same generator (`random`).
//! - Memory of another process lies on the device that is current where it is imported, so that copies between
//!   two devices of two processes meet none of the limits that a card has for them.
//! - Error texts. They name call, value and remedy as the runtime's do, in other words and without its codes
//!   (`EH0007`), the number of the process, the date, a trace of its calls, and the same five times. On a thread
//!   without a context `aclGetRecentErrMsg` is never NULL, as there; but it says what is new, where the runtime
//!   says everything again that was said on that thread, 1.5 MB after 2,000 refused calls.
//! - Device memory. All of it is the program's: the runtime takes 21 MiB when it starts and some KiB for each
//!   stream, so that tests which count free bytes hold here only.
//! - Events for ordering (`aclrtCreateEventExWithFlag`) run out at 2^24, where the runtime showed no limit. The
//!   65,535 events of the hardware are a number that a simulated driver had.
//! - `aclrtEventElapsedTime` of recorded events without `ACL_EVENT_TIME_LINE`: the runtime answers 0 or
//!   `ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID` from run to run. Here it is 0 for events that
//!   `aclrtCreateEventWithFlag` made with `ACL_EVENT_SYNC` alone, and the code for all others.
//! - A wait returns when the work is over, also after a failure. A product without a buffer for errors was seen
//!   to take 24 seconds longer, over a simulated driver.
//! - Libraries. As a C library all functions are in one, `libascendcl.so`. CANN has those of tensors in
//!   `libnnopbase.so`, operators in `libopapi*.so` and media memory in `libacl_dvpp.so`.
//! - Time. Whoever waits runs the work; small work that nobody waits for starts within milliseconds,
//!   when a worker finds it. A timeout ends on time, and a process ends at once; the runtime asks the
//!   device for diagnostics first, and joins its threads.
//!
//! No difference, though it reads like one: `aclrtRandomNumAsync` writes to the structure that it takes as
//! `const`, which so serves one call and does not lie in read-only memory.
//!
//! # Map
//!
//! Beside the functions, `check` finds mistakes of the program (its head says what it cannot see), `observe`
//! counts and disturbs calls, `trace` keeps a timeline, `watch` looks at tasks that run, `exit` ends both.
//!
//! The functions stand in one file per area of the C headers, or in a few that share its word where an
//! area is large: copies are in `copy` and `batch`, memory in `memory`, `configured`, `register` and
//! `virtual_memory`, memory of other processes in `share`, versions of packages in `package`, what the chip
//! can in `cann`, a stream's switch for overflow in `overflow`, who learns of streams in `stream_state`, sets of
//! their attributes in `stream_config`, random numbers in `random`, reductions in `reduce`, numbers that streams
//! wait for in `value`. What refuses is in `refusal`. Below them: `submit` (the checks of every
//! submission), `task` and `queue` (a stream's tasks), `engine`, `schedule` and `patience` (who runs them
//! and when), `signal` (events), `worker`, `host_thread` and `threads`, `space`, `heap`, `reserve`,
//! `pages`, `ordinary` and `bulk` (memory), `slots` and `registry` (handles), `ordered` (the one kind of ordered
//! map), `sync` (what threads share, checked by loom), `state` (the one instance of the process).
#![allow(non_snake_case, reason = "the names of C are kept")]

#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
compile_error!(
    "the emulator needs 64-bit Linux: its handles and its address space are made for it"
);

mod batch;
mod beside;
mod bulk;
mod callback;
mod calls;
mod cann;
mod check;
mod chosen;
mod config;
mod configured;
mod context;
mod copy;
mod detour;
mod device;
mod device_info;
mod engine;
mod error;
mod event;
mod exception;
mod exit;
mod fault;
mod heap;
mod host_thread;
mod limits;
mod media;
mod memory;
mod model;
mod notify;
mod observe;
#[allow(
    unreachable_pub,
    reason = "the functions are public as in C, their folder is not"
)]
mod op;
mod ordered;
mod ordinary;
mod overflow;
mod package;
mod pages;
mod params;
mod patience;
mod peer;
mod place;
mod queue;
mod random;
mod reduce;
mod refusal;
mod register;
mod registry;
mod reserve;
mod runtime;
mod schedule;
mod share;
mod signal;
mod slots;
mod space;
mod state;
mod stream;
mod stream_config;
mod stream_state;
mod strike;
mod submit;
mod sync;
mod task;
mod threads;
mod trace;
mod value;
mod violation;
mod virtual_memory;
mod watch;
mod worker;

use ascendcl_sys::{
    AlreadyInstalled, Api, CallbackTable, ContextTable, DeviceTable, EventTable, LogTable,
    MediaTable, MemoryTable, ModelTable, OpTable, Origin, RuntimeTable, StreamTable,
};

pub use check::{Finding, Issued, Mistake, findings, take_findings};
pub use chosen::{AlreadyRunning, configure};
pub use config::{Check, ConfigError, EmulatorConfig, Peers, RunMode, Schedule};
pub use exit::EXIT_STATUS;
pub use fault::Fault;
pub use observe::{Call, journal};
pub use violation::{Live, Violation, What, live, take_violations, violations};

/// The emulator as a backend. Its state belongs to the process: every copy of this is the same one.
pub const API: Api = Api {
    origin: Origin::Rust("the emulator"),
    runtime: RuntimeTable {
        aclInit: runtime::aclInit,
        aclFinalize: runtime::aclFinalize,
        aclFinalizeReference: runtime::aclFinalizeReference,
        aclrtGetVersion: runtime::aclrtGetVersion,
        aclrtGetRunMode: runtime::aclrtGetRunMode,
        aclGetRecentErrMsg: runtime::aclGetRecentErrMsg,
        aclrtPeekAtLastError: runtime::aclrtPeekAtLastError,
        aclrtGetLastError: runtime::aclrtGetLastError,
        aclDataTypeSize: runtime::aclDataTypeSize,
        aclFloat16ToFloat: runtime::aclFloat16ToFloat,
        aclFloatToFloat16: runtime::aclFloatToFloat16,
        aclCreateDataBuffer: runtime::aclCreateDataBuffer,
        aclDestroyDataBuffer: runtime::aclDestroyDataBuffer,
        aclUpdateDataBuffer: runtime::aclUpdateDataBuffer,
        aclGetDataBufferAddr: runtime::aclGetDataBufferAddr,
        aclGetDataBufferSize: runtime::aclGetDataBufferSize,
        aclGetDataBufferSizeV2: runtime::aclGetDataBufferSizeV2,
        aclsysGetVersionNum: package::aclsysGetVersionNum,
        aclsysGetVersionStr: package::aclsysGetVersionStr,
        aclGetCannAttributeList: cann::aclGetCannAttributeList,
        aclGetCannAttribute: cann::aclGetCannAttribute,
        aclrtCheckArchCompatibility: cann::aclrtCheckArchCompatibility,
        aclrtProfTrace: stream::aclrtProfTrace,
        aclrtSetExceptionInfoCallback: exception::aclrtSetExceptionInfoCallback,
        aclrtGetTaskIdFromExceptionInfo: exception::aclrtGetTaskIdFromExceptionInfo,
        aclrtGetStreamIdFromExceptionInfo: exception::aclrtGetStreamIdFromExceptionInfo,
        aclrtGetDeviceIdFromExceptionInfo: exception::aclrtGetDeviceIdFromExceptionInfo,
        aclrtGetErrorCodeFromExceptionInfo: exception::aclrtGetErrorCodeFromExceptionInfo,
        aclrtGetSysParamOpt: params::aclrtGetSysParamOpt,
        aclrtSetSysParamOpt: params::aclrtSetSysParamOpt,
        ..RuntimeTable::ABSENT
    },
    device: DeviceTable {
        aclrtGetSocName: device::aclrtGetSocName,
        aclrtGetDeviceCount: device::aclrtGetDeviceCount,
        aclrtSetDevice: device::aclrtSetDevice,
        aclrtResetDevice: device::aclrtResetDevice,
        aclrtResetDeviceForce: device::aclrtResetDeviceForce,
        aclrtGetDevice: device::aclrtGetDevice,
        aclrtSynchronizeDevice: device::aclrtSynchronizeDevice,
        aclrtSynchronizeDeviceWithTimeout: device::aclrtSynchronizeDeviceWithTimeout,
        aclrtGetDeviceInfo: device::aclrtGetDeviceInfo,
        aclGetDeviceCapability: device::aclGetDeviceCapability,
        aclrtDeviceCanAccessPeer: peer::aclrtDeviceCanAccessPeer,
        aclrtDeviceEnablePeerAccess: peer::aclrtDeviceEnablePeerAccess,
        aclrtDeviceDisablePeerAccess: peer::aclrtDeviceDisablePeerAccess,
        aclrtDevicePeerAccessStatus: peer::aclrtDevicePeerAccessStatus,
        aclrtGetDevicesTopo: peer::aclrtGetDevicesTopo,
        aclrtDeviceGetStreamPriorityRange: device::aclrtDeviceGetStreamPriorityRange,
        aclrtGetOverflowStatus: device::aclrtGetOverflowStatus,
        aclrtResetOverflowStatus: device::aclrtResetOverflowStatus,
        aclrtGetHardwareSyncAddr: refusal::aclrtGetHardwareSyncAddr,
        aclrtGetLogicDevIdByUserDevId: device_info::aclrtGetLogicDevIdByUserDevId,
        aclrtGetUserDevIdByLogicDevId: device_info::aclrtGetUserDevIdByLogicDevId,
        aclrtGetLogicDevIdByPhyDevId: device_info::aclrtGetLogicDevIdByPhyDevId,
        aclrtGetPhyDevIdByLogicDevId: device_info::aclrtGetPhyDevIdByLogicDevId,
        aclrtGetUserDevIdByPhyDevId: device_info::aclrtGetUserDevIdByPhyDevId,
        aclrtGetPhyDevIdByUserDevId: device_info::aclrtGetPhyDevIdByUserDevId,
        aclrtQueryDeviceStatus: device_info::aclrtQueryDeviceStatus,
        aclrtGetDeviceUtilizationRate: device_info::aclrtGetDeviceUtilizationRate,
        aclrtGetErrorVerbose: device_info::aclrtGetErrorVerbose,
        aclrtGetDeviceCapability: device_info::aclrtGetDeviceCapability,
        aclrtDeviceGetBareTgid: device_info::aclrtDeviceGetBareTgid,
        aclrtSetDeviceSatMode: device_info::aclrtSetDeviceSatMode,
        aclrtGetDeviceSatMode: device_info::aclrtGetDeviceSatMode,
        aclrtGetDeviceResLimit: limits::aclrtGetDeviceResLimit,
        aclrtSetDeviceResLimit: limits::aclrtSetDeviceResLimit,
        aclrtResetDeviceResLimit: limits::aclrtResetDeviceResLimit,
        ..DeviceTable::ABSENT
    },
    context: ContextTable {
        aclrtCreateContext: context::aclrtCreateContext,
        aclrtDestroyContext: context::aclrtDestroyContext,
        aclrtSetCurrentContext: context::aclrtSetCurrentContext,
        aclrtGetCurrentContext: context::aclrtGetCurrentContext,
        aclrtCtxGetCurrentDefaultStream: context::aclrtCtxGetCurrentDefaultStream,
        aclrtGetPrimaryCtxState: context::aclrtGetPrimaryCtxState,
        aclrtCtxGetSysParamOpt: params::aclrtCtxGetSysParamOpt,
        aclrtCtxSetSysParamOpt: params::aclrtCtxSetSysParamOpt,
        ..ContextTable::ABSENT
    },
    stream: StreamTable {
        aclrtCreateStream: stream::aclrtCreateStream,
        aclrtCreateStreamWithConfig: stream::aclrtCreateStreamWithConfig,
        aclrtDestroyStream: stream::aclrtDestroyStream,
        aclrtDestroyStreamForce: stream::aclrtDestroyStreamForce,
        aclrtSynchronizeStream: stream::aclrtSynchronizeStream,
        aclrtSynchronizeStreamWithTimeout: stream::aclrtSynchronizeStreamWithTimeout,
        aclrtStreamQuery: stream::aclrtStreamQuery,
        aclrtStreamGetId: stream::aclrtStreamGetId,
        aclrtStreamGetPriority: stream::aclrtStreamGetPriority,
        aclrtStreamGetFlags: stream::aclrtStreamGetFlags,
        aclrtSetStreamFailureMode: stream::aclrtSetStreamFailureMode,
        aclrtGetStreamAvailableNum: stream::aclrtGetStreamAvailableNum,
        aclrtActiveStream: model::aclrtActiveStream,
        aclrtCreateLabel: model::aclrtCreateLabel,
        aclrtSetLabel: model::aclrtSetLabel,
        aclrtDestroyLabel: model::aclrtDestroyLabel,
        aclrtCreateLabelList: model::aclrtCreateLabelList,
        aclrtDestroyLabelList: model::aclrtDestroyLabelList,
        aclrtSwitchLabelByIndex: model::aclrtSwitchLabelByIndex,
        aclrtGetStreamResLimit: limits::aclrtGetStreamResLimit,
        aclrtSetStreamResLimit: limits::aclrtSetStreamResLimit,
        aclrtResetStreamResLimit: limits::aclrtResetStreamResLimit,
        aclrtUseStreamResInCurrentThread: limits::aclrtUseStreamResInCurrentThread,
        aclrtUnuseStreamResInCurrentThread: limits::aclrtUnuseStreamResInCurrentThread,
        aclrtGetResInCurrentThread: limits::aclrtGetResInCurrentThread,
        aclrtGetThreadLastTaskId: submit::aclrtGetThreadLastTaskId,
        aclrtStreamAbort: stream::aclrtStreamAbort,
        aclrtStreamStop: stream::aclrtStreamStop,
        aclrtCreateStreamConfigHandle: stream_config::aclrtCreateStreamConfigHandle,
        aclrtDestroyStreamConfigHandle: stream_config::aclrtDestroyStreamConfigHandle,
        aclrtSetStreamConfigOpt: stream_config::aclrtSetStreamConfigOpt,
        aclrtCreateStreamV2: stream_config::aclrtCreateStreamV2,
        aclrtRegStreamStateCallback: stream_state::aclrtRegStreamStateCallback,
        aclrtSetStreamOverflowSwitch: overflow::aclrtSetStreamOverflowSwitch,
        aclrtGetStreamOverflowSwitch: overflow::aclrtGetStreamOverflowSwitch,
        ..StreamTable::ABSENT
    },
    event: EventTable {
        aclrtCreateEvent: event::aclrtCreateEvent,
        aclrtCreateEventWithFlag: event::aclrtCreateEventWithFlag,
        aclrtCreateEventExWithFlag: event::aclrtCreateEventExWithFlag,
        aclrtDestroyEvent: event::aclrtDestroyEvent,
        aclrtRecordEvent: event::aclrtRecordEvent,
        aclrtRecordEventWithFlag: event::aclrtRecordEventWithFlag,
        aclrtResetEvent: event::aclrtResetEvent,
        aclrtQueryEvent: event::aclrtQueryEvent,
        aclrtQueryEventStatus: event::aclrtQueryEventStatus,
        aclrtQueryEventWaitStatus: event::aclrtQueryEventWaitStatus,
        aclrtSynchronizeEvent: event::aclrtSynchronizeEvent,
        aclrtSynchronizeEventWithTimeout: event::aclrtSynchronizeEventWithTimeout,
        aclrtEventElapsedTime: event::aclrtEventElapsedTime,
        aclrtEventGetTimestamp: event::aclrtEventGetTimestamp,
        aclrtStreamWaitEvent: event::aclrtStreamWaitEvent,
        aclrtStreamWaitEventWithTimeout: event::aclrtStreamWaitEventWithTimeout,
        aclrtStreamWaitEventWithFlag: event::aclrtStreamWaitEventWithFlag,
        aclrtSetOpWaitTimeout: event::aclrtSetOpWaitTimeout,
        aclrtCreateNotify: notify::aclrtCreateNotify,
        aclrtDestroyNotify: notify::aclrtDestroyNotify,
        aclrtRecordNotify: notify::aclrtRecordNotify,
        aclrtWaitAndResetNotify: notify::aclrtWaitAndResetNotify,
        aclrtGetNotifyId: notify::aclrtGetNotifyId,
        aclrtGetEventId: event::aclrtGetEventId,
        ..EventTable::ABSENT
    },
    memory: MemoryTable {
        aclrtMalloc: memory::aclrtMalloc,
        aclrtMallocAlign32: memory::aclrtMallocAlign32,
        aclrtMallocCached: memory::aclrtMallocCached,
        aclrtMallocWithCfg: configured::aclrtMallocWithCfg,
        aclrtFree: memory::aclrtFree,
        aclrtFreeWithDevSync: memory::aclrtFreeWithDevSync,
        aclrtMallocHost: memory::aclrtMallocHost,
        aclrtMallocHostWithCfg: configured::aclrtMallocHostWithCfg,
        aclrtFreeHost: memory::aclrtFreeHost,
        aclrtFreeHostWithDevSync: memory::aclrtFreeHostWithDevSync,
        aclrtMemcpy: copy::aclrtMemcpy,
        aclrtMemcpyAsync: copy::aclrtMemcpyAsync,
        aclrtMemset: copy::aclrtMemset,
        aclrtMemsetAsync: copy::aclrtMemsetAsync,
        aclrtMemsetD32: copy::aclrtMemsetD32,
        aclrtMemsetD32Async: copy::aclrtMemsetD32Async,
        aclrtMemcpy2d: copy::aclrtMemcpy2d,
        aclrtMemcpy2dAsync: copy::aclrtMemcpy2dAsync,
        aclrtGetMemInfo: memory::aclrtGetMemInfo,
        aclrtPointerGetAttributes: memory::aclrtPointerGetAttributes,
        aclrtMemP2PMap: peer::aclrtMemP2PMap,
        aclrtIpcMemGetExportKey: share::aclrtIpcMemGetExportKey,
        aclrtIpcMemImportByKey: share::aclrtIpcMemImportByKey,
        aclrtIpcMemSetImportPid: share::aclrtIpcMemSetImportPid,
        aclrtIpcMemClose: share::aclrtIpcMemClose,
        aclrtMemExportToShareableHandle: share::aclrtMemExportToShareableHandle,
        aclrtMemExportToShareableHandleV2: share::aclrtMemExportToShareableHandleV2,
        aclrtMemImportFromShareableHandle: share::aclrtMemImportFromShareableHandle,
        aclrtMemImportFromShareableHandleV2: share::aclrtMemImportFromShareableHandleV2,
        aclrtMemSetPidToShareableHandle: share::aclrtMemSetPidToShareableHandle,
        aclrtMemSetPidToShareableHandleV2: share::aclrtMemSetPidToShareableHandleV2,
        aclrtMemcpyBatch: batch::aclrtMemcpyBatch,
        aclrtMemcpyBatchAsync: batch::aclrtMemcpyBatchAsync,
        aclrtReduceAsync: reduce::aclrtReduceAsync,
        aclrtValueWrite: value::aclrtValueWrite,
        aclrtValueWait: value::aclrtValueWait,
        aclrtHostRegister: register::aclrtHostRegister,
        aclrtHostUnregister: register::aclrtHostUnregister,
        aclrtHostRegisterV2: register::aclrtHostRegisterV2,
        aclrtHostGetDevicePointer: register::aclrtHostGetDevicePointer,
        aclrtMallocForTaskScheduler: configured::aclrtMallocForTaskScheduler,
        aclrtReserveMemAddress: virtual_memory::aclrtReserveMemAddress,
        aclrtReleaseMemAddress: virtual_memory::aclrtReleaseMemAddress,
        aclrtMallocPhysical: virtual_memory::aclrtMallocPhysical,
        aclrtFreePhysical: virtual_memory::aclrtFreePhysical,
        aclrtMapMem: virtual_memory::aclrtMapMem,
        aclrtUnmapMem: virtual_memory::aclrtUnmapMem,
        aclrtMemRetainAllocationHandle: virtual_memory::aclrtMemRetainAllocationHandle,
        aclrtMemSetAccess: virtual_memory::aclrtMemSetAccess,
        aclrtMemGetAllocationGranularity: virtual_memory::aclrtMemGetAllocationGranularity,
        ..MemoryTable::ABSENT
    },
    callback: CallbackTable {
        aclrtSubscribeReport: callback::aclrtSubscribeReport,
        aclrtUnSubscribeReport: callback::aclrtUnSubscribeReport,
        aclrtProcessReport: callback::aclrtProcessReport,
        aclrtLaunchCallback: callback::aclrtLaunchCallback,
        aclrtLaunchHostFunc: callback::aclrtLaunchHostFunc,
        aclrtSubscribeHostFunc: callback::aclrtSubscribeHostFunc,
        aclrtProcessHostFunc: callback::aclrtProcessHostFunc,
        aclrtUnSubscribeHostFunc: callback::aclrtUnSubscribeHostFunc,
    },
    op: OpTable {
        aclCreateTensor: op::aclCreateTensor,
        aclDestroyTensor: op::aclDestroyTensor,
        aclCreateScalar: op::aclCreateScalar,
        aclDestroyScalar: op::aclDestroyScalar,
        aclCreateIntArray: op::aclCreateIntArray,
        aclDestroyIntArray: op::aclDestroyIntArray,
        aclGetIntArraySize: op::aclGetIntArraySize,
        aclCreateFloatArray: op::aclCreateFloatArray,
        aclDestroyFloatArray: op::aclDestroyFloatArray,
        aclGetFloatArraySize: op::aclGetFloatArraySize,
        aclCreateBoolArray: op::aclCreateBoolArray,
        aclDestroyBoolArray: op::aclDestroyBoolArray,
        aclGetBoolArraySize: op::aclGetBoolArraySize,
        aclCreateTensorList: op::aclCreateTensorList,
        aclDestroyTensorList: op::aclDestroyTensorList,
        aclGetTensorListSize: op::aclGetTensorListSize,
        aclCreateScalarList: op::aclCreateScalarList,
        aclDestroyScalarList: op::aclDestroyScalarList,
        aclGetScalarListSize: op::aclGetScalarListSize,
        aclGetViewShape: op::aclGetViewShape,
        aclGetViewStrides: op::aclGetViewStrides,
        aclGetViewOffset: op::aclGetViewOffset,
        aclGetFormat: op::aclGetFormat,
        aclGetDataType: op::aclGetDataType,
        aclGetRawTensorAddr: op::aclGetRawTensorAddr,
        aclnnInit: op::aclnnInit,
        aclnnFinalize: op::aclnnFinalize,
        aclSetAclOpExecutorRepeatable: op::aclSetAclOpExecutorRepeatable,
        aclDestroyAclOpExecutor: op::aclDestroyAclOpExecutor,
        aclnnAddGetWorkspaceSize: op::aclnnAddGetWorkspaceSize,
        aclnnAdd: op::aclnnAdd,
        aclnnMulGetWorkspaceSize: op::aclnnMulGetWorkspaceSize,
        aclnnMul: op::aclnnMul,
        ..OpTable::ABSENT
    },
    model: ModelTable {
        aclrtBinaryLoadFromFile: refusal::aclrtBinaryLoadFromFile,
        aclrtBinaryLoadFromData: refusal::aclrtBinaryLoadFromData,
        aclrtBinaryUnLoad: refusal::aclrtBinaryUnLoad,
        aclrtBinaryGetFunction: refusal::aclrtBinaryGetFunction,
        aclrtKernelArgsInit: refusal::aclrtKernelArgsInit,
        aclrtKernelArgsAppend: refusal::aclrtKernelArgsAppend,
        aclrtKernelArgsFinalize: refusal::aclrtKernelArgsFinalize,
        aclrtKernelArgsAppendPlaceHolder: refusal::aclrtKernelArgsAppendPlaceHolder,
        aclrtKernelArgsGetPlaceHolderBuffer: refusal::aclrtKernelArgsGetPlaceHolderBuffer,
        aclrtLaunchKernelV2: refusal::aclrtLaunchKernelV2,
        aclrtLaunchKernelWithConfig: refusal::aclrtLaunchKernelWithConfig,
        aclrtLaunchKernelWithHostArgs: refusal::aclrtLaunchKernelWithHostArgs,
        aclrtRandomNumAsync: random::aclrtRandomNumAsync,
        aclmdlRICaptureBegin: model::aclmdlRICaptureBegin,
        aclmdlRICaptureToModelRIBegin: model::aclmdlRICaptureToModelRIBegin,
        aclmdlRICaptureEnd: model::aclmdlRICaptureEnd,
        aclmdlRIBuildBegin: model::aclmdlRIBuildBegin,
        aclmdlRIBindStream: model::aclmdlRIBindStream,
        aclmdlRIEndTask: model::aclmdlRIEndTask,
        aclmdlRIBuildEnd: model::aclmdlRIBuildEnd,
        aclmdlRIUnbindStream: model::aclmdlRIUnbindStream,
        aclmdlRIExecuteAsync: model::aclmdlRIExecuteAsync,
        aclmdlRIAbort: model::aclmdlRIAbort,
        aclmdlRIDestroy: model::aclmdlRIDestroy,
        aclmdlRICaptureGetInfo: model::aclmdlRICaptureGetInfo,
        aclmdlRICaptureThreadExchangeMode: model::aclmdlRICaptureThreadExchangeMode,
        aclmdlRICaptureTaskGrpBegin: model::aclmdlRICaptureTaskGrpBegin,
        aclmdlRICaptureTaskGrpEnd: model::aclmdlRICaptureTaskGrpEnd,
        aclmdlRICaptureTaskUpdateBegin: model::aclmdlRICaptureTaskUpdateBegin,
        aclmdlRICaptureTaskUpdateEnd: model::aclmdlRICaptureTaskUpdateEnd,
        aclmdlRIExecute: model::aclmdlRIExecute,
        aclmdlRISetName: model::aclmdlRISetName,
        aclmdlRIGetName: model::aclmdlRIGetName,
        aclmdlRIGetId: model::aclmdlRIGetId,
        aclmdlRIDebugJsonPrint: model::aclmdlRIDebugJsonPrint,
        aclmdlRICondHandleCreate: model::aclmdlRICondHandleCreate,
        aclmdlRICondHandleGetCondPtr: model::aclmdlRICondHandleGetCondPtr,
        aclmdlRIAddCondTask: model::aclmdlRIAddCondTask,
        ..ModelTable::ABSENT
    },
    media: MediaTable {
        acldvppMalloc: media::acldvppMalloc,
        acldvppFree: media::acldvppFree,
        hi_mpi_dvpp_malloc: media::hi_mpi_dvpp_malloc,
        hi_mpi_dvpp_free: media::hi_mpi_dvpp_free,
    },
    log: LogTable::ABSENT,
};

/// Makes the emulator the backend of this process.
///
/// # Errors
///
/// [`AlreadyInstalled`] when the process has a backend.
pub fn install() -> Result<&'static Origin, AlreadyInstalled> {
    // SAFETY: each function keeps to the documentation of the C function of its name; that is what
    // this crate is.
    unsafe { api().install() }
}

/// The emulator as a backend, for [`Api::install`].
///
/// With the checker, faults or a journal configured ([`configure`] first, or the environment) every call is
/// observed; else this is [`API`].
#[must_use]
pub fn api() -> Api {
    if chosen::observes() {
        observe::OBSERVED
    } else {
        API
    }
}
