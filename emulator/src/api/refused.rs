//! The functions that the emulator refuses after a check of their arguments, in the tables of their areas.

use ascendcl_sys::{DeviceTable, MemoryTable, ModelTable, RuntimeTable, StreamTable};

use super::{graph, kernel};
use crate::refusal;

pub(super) const DEVICE: DeviceTable = table!(DeviceTable {
    refusal {
        aclrtGetHardwareSyncAddr, aclrtGetGroupCount, aclrtDestroyGroupInfo, aclrtGetAllGroupInfo,
        aclrtGetGroupInfoDetail,
    }
    ..DeviceTable::ABSENT
});

pub(super) const MEMORY: MemoryTable = table!(MemoryTable {
    refusal {
        aclrtGetSymbolAddress, aclrtGetSymbolSize, aclrtMemcpyFromSymbol, aclrtMemcpyFromSymbolAsync,
        aclrtMemcpyToSymbol, aclrtMemcpyToSymbolAsync, aclrtMemAllocManaged, aclrtMemManagedAdvise,
        aclrtMemManagedGetAttr, aclrtMemManagedGetAttrs, aclrtMemManagedPrefetchAsync,
        aclrtMemManagedPrefetchBatchAsync, aclrtAllocBuf, aclrtFreeBuf, aclrtSetBufDataLen, aclrtGetBufDataLen,
        aclrtGetBufData, aclrtGetBufUserData, aclrtSetBufUserData, aclrtCopyBufRef, aclrtAppendBufChain,
        aclrtGetBufChainNum, aclrtGetBufFromChain, aclrtCmoAsyncWithBarrier, aclrtCmoWaitBarrier, aclrtCmoGetDescSize,
        aclrtCmoSetDesc, aclrtCmoAsyncWithDesc, aclrtMemMapSelectedLink,
        aclrtGetMemUsageInfo, aclrtHostMemMapCapabilities,
    }
    ..MemoryTable::ABSENT
});

pub(super) const MODEL: ModelTable = table!(ModelTable {
    refusal {
        aclTransTensorDescFormat, aclrtBinaryGetFunctionByEntry, aclrtBinaryGetDevAddress,
        aclrtBinarySetExceptionCallback, aclrtBinaryGetGlobal, aclrtRegisterCpuFunc, aclrtGetFuncBySymbol,
        aclrtGetFunctionAddr, aclrtGetFunctionSize, aclrtFunctionGetAvailDynUbufPerBlock,
        aclrtLaunchSIMTKernelWithArgsArray, aclrtLaunchSIMTKernelWithHostArgs,
    }
    ..kernel::MODEL
});

pub(super) const RUNTIME: RuntimeTable = table!(RuntimeTable {
    refusal {
        aclrtGetArgsFromExceptionInfo, aclrtGetFuncHandleFromExceptionInfo, aclrtCacheLastTaskOpInfo,
        aclrtCacheLastTaskExtendInfo,
    }
    ..RuntimeTable::ABSENT
});

pub(super) const STREAM: StreamTable = table!(StreamTable {
    refusal {
        aclrtTaskUpdateAsync, aclrtPersistentTaskClean, aclrtSwitchStream,
    }
    ..graph::STREAM
});
