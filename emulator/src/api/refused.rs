//! The functions that the emulator refuses after a check of their arguments, in the tables of their areas.

use ascendcl_sys::{DeviceTable, EventTable, MemoryTable, ModelTable, RuntimeTable, StreamTable};

use super::graph;
use crate::refusal;

pub(super) const DEVICE: DeviceTable = DeviceTable {
    aclrtGetHardwareSyncAddr: refusal::aclrtGetHardwareSyncAddr,
    aclrtGetGroupCount: refusal::aclrtGetGroupCount,
    aclrtDestroyGroupInfo: refusal::aclrtDestroyGroupInfo,
    aclrtGetAllGroupInfo: refusal::aclrtGetAllGroupInfo,
    aclrtGetGroupInfoDetail: refusal::aclrtGetGroupInfoDetail,
    ..DeviceTable::ABSENT
};

pub(super) const EVENT: EventTable = EventTable {
    aclrtCntNotifyCreate: refusal::aclrtCntNotifyCreate,
    aclrtCntNotifyDestroy: refusal::aclrtCntNotifyDestroy,
    aclrtCntNotifyRecord: refusal::aclrtCntNotifyRecord,
    aclrtCntNotifyWaitWithTimeout: refusal::aclrtCntNotifyWaitWithTimeout,
    aclrtCntNotifyReset: refusal::aclrtCntNotifyReset,
    aclrtCntNotifyGetId: refusal::aclrtCntNotifyGetId,
    aclrtIpcGetEventHandle: refusal::aclrtIpcGetEventHandle,
    aclrtIpcOpenEventHandle: refusal::aclrtIpcOpenEventHandle,
    ..EventTable::ABSENT
};

pub(super) const MEMORY: MemoryTable = MemoryTable {
    aclrtGetSymbolAddress: refusal::aclrtGetSymbolAddress,
    aclrtGetSymbolSize: refusal::aclrtGetSymbolSize,
    aclrtMemcpyFromSymbol: refusal::aclrtMemcpyFromSymbol,
    aclrtMemcpyFromSymbolAsync: refusal::aclrtMemcpyFromSymbolAsync,
    aclrtMemcpyToSymbol: refusal::aclrtMemcpyToSymbol,
    aclrtMemcpyToSymbolAsync: refusal::aclrtMemcpyToSymbolAsync,
    aclrtMemPoolCreate: refusal::aclrtMemPoolCreate,
    aclrtMemPoolDestroy: refusal::aclrtMemPoolDestroy,
    aclrtMemPoolSetAttr: refusal::aclrtMemPoolSetAttr,
    aclrtMemPoolGetAttr: refusal::aclrtMemPoolGetAttr,
    aclrtMemPoolMallocAsync: refusal::aclrtMemPoolMallocAsync,
    aclrtMemPoolFreeAsync: refusal::aclrtMemPoolFreeAsync,
    aclrtMemPoolTrimTo: refusal::aclrtMemPoolTrimTo,
    aclrtMemAllocManaged: refusal::aclrtMemAllocManaged,
    aclrtMemManagedAdvise: refusal::aclrtMemManagedAdvise,
    aclrtMemManagedGetAttr: refusal::aclrtMemManagedGetAttr,
    aclrtMemManagedGetAttrs: refusal::aclrtMemManagedGetAttrs,
    aclrtMemManagedPrefetchAsync: refusal::aclrtMemManagedPrefetchAsync,
    aclrtMemManagedPrefetchBatchAsync: refusal::aclrtMemManagedPrefetchBatchAsync,
    aclrtAllocBuf: refusal::aclrtAllocBuf,
    aclrtFreeBuf: refusal::aclrtFreeBuf,
    aclrtSetBufDataLen: refusal::aclrtSetBufDataLen,
    aclrtGetBufDataLen: refusal::aclrtGetBufDataLen,
    aclrtGetBufData: refusal::aclrtGetBufData,
    aclrtGetBufUserData: refusal::aclrtGetBufUserData,
    aclrtSetBufUserData: refusal::aclrtSetBufUserData,
    aclrtCopyBufRef: refusal::aclrtCopyBufRef,
    aclrtAppendBufChain: refusal::aclrtAppendBufChain,
    aclrtGetBufChainNum: refusal::aclrtGetBufChainNum,
    aclrtGetBufFromChain: refusal::aclrtGetBufFromChain,
    aclrtCmoAsyncWithBarrier: refusal::aclrtCmoAsyncWithBarrier,
    aclrtCmoWaitBarrier: refusal::aclrtCmoWaitBarrier,
    aclrtCmoGetDescSize: refusal::aclrtCmoGetDescSize,
    aclrtCmoSetDesc: refusal::aclrtCmoSetDesc,
    aclrtCmoAsyncWithDesc: refusal::aclrtCmoAsyncWithDesc,
    aclrtMemGetAccess: refusal::aclrtMemGetAccess,
    aclrtMemMapNoAccess: refusal::aclrtMemMapNoAccess,
    aclrtMemMapSelectedLink: refusal::aclrtMemMapSelectedLink,
    aclrtGetMemUsageInfo: refusal::aclrtGetMemUsageInfo,
    aclrtHostMemMapCapabilities: refusal::aclrtHostMemMapCapabilities,
    ..MemoryTable::ABSENT
};

pub(super) const MODEL: ModelTable = ModelTable {
    aclTransTensorDescFormat: refusal::aclTransTensorDescFormat,
    aclrtBinaryLoadFromFile: refusal::aclrtBinaryLoadFromFile,
    aclrtBinaryLoadFromData: refusal::aclrtBinaryLoadFromData,
    aclrtBinaryLoad: refusal::aclrtBinaryLoad,
    aclrtDestroyBinary: refusal::aclrtDestroyBinary,
    aclrtBinaryUnLoad: refusal::aclrtBinaryUnLoad,
    aclrtBinaryGetFunction: refusal::aclrtBinaryGetFunction,
    aclrtBinaryGetFunctionByEntry: refusal::aclrtBinaryGetFunctionByEntry,
    aclrtBinaryGetDevAddress: refusal::aclrtBinaryGetDevAddress,
    aclrtBinarySetExceptionCallback: refusal::aclrtBinarySetExceptionCallback,
    aclrtBinaryGetGlobal: refusal::aclrtBinaryGetGlobal,
    aclrtRegisterCpuFunc: refusal::aclrtRegisterCpuFunc,
    aclrtGetFuncBySymbol: refusal::aclrtGetFuncBySymbol,
    aclrtGetFunctionAddr: refusal::aclrtGetFunctionAddr,
    aclrtGetFunctionSize: refusal::aclrtGetFunctionSize,
    aclrtFunctionGetBinary: refusal::aclrtFunctionGetBinary,
    aclrtGetFunctionName: refusal::aclrtGetFunctionName,
    aclrtGetFunctionAttribute: refusal::aclrtGetFunctionAttribute,
    aclrtFunctionGetParamCount: refusal::aclrtFunctionGetParamCount,
    aclrtFunctionGetParamInfo: refusal::aclrtFunctionGetParamInfo,
    aclrtFunctionGetAvailDynUbufPerBlock: refusal::aclrtFunctionGetAvailDynUbufPerBlock,
    aclrtKernelArgsInit: refusal::aclrtKernelArgsInit,
    aclrtKernelArgsInitByUserMem: refusal::aclrtKernelArgsInitByUserMem,
    aclrtKernelArgsGetMemSize: refusal::aclrtKernelArgsGetMemSize,
    aclrtKernelArgsGetHandleMemSize: refusal::aclrtKernelArgsGetHandleMemSize,
    aclrtKernelArgsAppend: refusal::aclrtKernelArgsAppend,
    aclrtKernelArgsAppendPlaceHolder: refusal::aclrtKernelArgsAppendPlaceHolder,
    aclrtKernelArgsGetPlaceHolderBuffer: refusal::aclrtKernelArgsGetPlaceHolderBuffer,
    aclrtKernelArgsParaUpdate: refusal::aclrtKernelArgsParaUpdate,
    aclrtKernelArgsFinalize: refusal::aclrtKernelArgsFinalize,
    aclrtLaunchKernel: refusal::aclrtLaunchKernel,
    aclrtLaunchKernelV2: refusal::aclrtLaunchKernelV2,
    aclrtLaunchKernelWithConfig: refusal::aclrtLaunchKernelWithConfig,
    aclrtLaunchKernelWithHostArgs: refusal::aclrtLaunchKernelWithHostArgs,
    aclrtLaunchKernelWithArgsArray: refusal::aclrtLaunchKernelWithArgsArray,
    aclrtLaunchSIMTKernelWithArgsArray: refusal::aclrtLaunchSIMTKernelWithArgsArray,
    aclrtLaunchSIMTKernelWithHostArgs: refusal::aclrtLaunchSIMTKernelWithHostArgs,
    ..ModelTable::ABSENT
};

pub(super) const RUNTIME: RuntimeTable = RuntimeTable {
    aclrtGetArgsFromExceptionInfo: refusal::aclrtGetArgsFromExceptionInfo,
    aclrtGetFuncHandleFromExceptionInfo: refusal::aclrtGetFuncHandleFromExceptionInfo,
    aclrtCacheLastTaskOpInfo: refusal::aclrtCacheLastTaskOpInfo,
    aclrtCacheLastTaskExtendInfo: refusal::aclrtCacheLastTaskExtendInfo,
    ..RuntimeTable::ABSENT
};

pub(super) const STREAM: StreamTable = StreamTable {
    aclrtTaskUpdateAsync: refusal::aclrtTaskUpdateAsync,
    aclrtPersistentTaskClean: refusal::aclrtPersistentTaskClean,
    aclrtSwitchStream: refusal::aclrtSwitchStream,
    ..graph::STREAM
};
