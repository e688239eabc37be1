//! The functions of C, in the tables of `ascendcl-sys`.

/// Makes a table of functions, by the modules that have them. Others are those of another table.
macro_rules! table {
    ($Table:ident { $($module:ident { $($name:ident,)+ })+ $(..$others:expr)? }) => {
        $Table { $($($name: $module::$name,)+)+ $(..$others)? }
    };
}

mod graph;
mod kernel;
mod model;
pub(crate) mod observed;
#[cfg(feature = "operators")]
mod op;
#[cfg(feature = "profiling")]
mod profiling;
mod refused;
pub(crate) mod withheld;

#[cfg(test)]
mod tests;

use ascendcl_sys::{
    Api, CallbackTable, CollectiveTable, ContextTable, DeviceTable, EventTable, LogTable,
    MediaTable, MemoryTable, Origin, RuntimeTable, StreamTable,
};

use crate::callback;
#[cfg(feature = "collectives")]
use crate::collective;
use crate::context;
use crate::device::{self, info, limits, peer, settings, watchers};
use crate::engine::submit;
use crate::event::{self, counter, exported, ipc, notify};
#[cfg(feature = "media")]
use crate::media;
use crate::memory::{
    self, allocator, batch, cache, configured, copy, dvpp, pool, reduce, register, reserved, share,
    status, value, virtual_memory,
};
use crate::runtime::{self, cann, exception, hooks, package, params, timeouts};
use crate::stream::{self, attributes, overflow, watchers as stream_watchers};

/// The emulator as a backend. The state of the emulator belongs to the process, so all copies of this value share it.
pub const API: Api = Api {
    origin: Origin::Rust("the emulator"),
    #[cfg(feature = "operators")]
    find_operator: crate::op::custom::find,
    #[cfg(not(feature = "operators"))]
    find_operator: |_| None,
    runtime: table!(RuntimeTable {
        runtime {
            aclInit, aclFinalize, aclFinalizeReference, aclrtGetVersion, aclrtGetRunMode, aclGetRecentErrMsg,
            aclrtPeekAtLastError, aclrtGetLastError, aclDataTypeSize, aclFloat16ToFloat, aclFloatToFloat16,
            aclCreateDataBuffer, aclDestroyDataBuffer, aclUpdateDataBuffer, aclGetDataBufferAddr, aclGetDataBufferSize,
            aclGetDataBufferSizeV2,
        }
        hooks {
            aclInitCallbackRegister, aclInitCallbackUnRegister, aclFinalizeCallbackRegister,
            aclFinalizeCallbackUnRegister,
        }
        package {
            aclsysGetVersionNum, aclsysGetVersionStr,
        }
        cann {
            aclGetCannAttributeList, aclGetCannAttribute, aclrtCheckArchCompatibility,
        }
        stream {
            aclrtProfTrace,
        }
        exception {
            aclrtSetExceptionInfoCallback, aclrtExceptionInfoCallbackRegister, aclrtExceptionInfoCallbackUnregister,
            aclrtGetTaskIdFromExceptionInfo, aclrtGetStreamIdFromExceptionInfo, aclrtGetDeviceIdFromExceptionInfo,
            aclrtGetErrorCodeFromExceptionInfo,
        }
        params {
            aclrtGetSysParamOpt, aclrtSetSysParamOpt,
        }
        timeouts {
            aclrtSetOpExecuteTimeOut, aclrtSetOpExecuteTimeOutWithMs, aclrtSetOpExecuteTimeOutV2,
            aclrtGetOpTimeOutInterval, aclrtGetOpExecuteTimeout,
        }
        ..refused::RUNTIME
    }),
    device: table!(DeviceTable {
        device {
            aclrtGetSocName, aclrtGetDeviceCount, aclrtSetDevice, aclrtResetDevice, aclrtResetDeviceForce,
            aclrtGetDevice, aclrtSynchronizeDevice, aclrtSynchronizeDeviceWithTimeout, aclrtGetDeviceInfo,
            aclGetDeviceCapability, aclrtDeviceGetStreamPriorityRange,
        }
        peer {
            aclrtDeviceCanAccessPeer, aclrtDeviceEnablePeerAccess, aclrtDeviceDisablePeerAccess,
            aclrtDevicePeerAccessStatus, aclrtGetDevicesTopo,
        }
        status {
            aclrtGetOverflowStatus, aclrtResetOverflowStatus, aclrtGetFloatOverflowStatus,
            aclrtResetFloatOverflowStatus, aclrtNpuGetFloatOverFlowStatus, aclrtNpuClearFloatOverFlowStatus,
        }
        info {
            aclrtGetLogicDevIdByUserDevId, aclrtGetUserDevIdByLogicDevId, aclrtGetLogicDevIdByPhyDevId,
            aclrtGetPhyDevIdByLogicDevId, aclrtGetUserDevIdByPhyDevId, aclrtGetPhyDevIdByUserDevId, aclrtDeviceGetUuid,
            aclrtDeviceGetPCIBusId, aclrtDeviceGetByPCIBusId, aclrtQueryDeviceStatus, aclrtGetDeviceUtilizationRate,
            aclrtGetErrorVerbose, aclrtGetDeviceCapability, aclrtDeviceGetBareTgid, aclrtSetDeviceSatMode,
            aclrtGetDeviceSatMode,
        }
        settings {
            aclrtDeviceGetLimit, aclrtDeviceSetLimit, aclrtSetTsDevice, aclrtDeviceGetHostAtomicCapabilities,
            aclrtDeviceGetP2PAtomicCapabilities,
        }
        watchers {
            aclrtRegDeviceStateCallback, aclrtSetDeviceTaskAbortCallback,
        }
        limits {
            aclrtGetDeviceResLimit, aclrtSetDeviceResLimit, aclrtResetDeviceResLimit,
        }
        ..refused::DEVICE
    }),
    context: table!(ContextTable {
        context {
            aclrtCreateContext, aclrtDestroyContext, aclrtSetCurrentContext, aclrtGetCurrentContext,
            aclrtCtxGetCurrentDefaultStream, aclrtGetPrimaryCtxState,
        }
        params {
            aclrtCtxGetSysParamOpt, aclrtCtxSetSysParamOpt,
        }
        ..ContextTable::ABSENT
    }),
    stream: table!(StreamTable {
        stream {
            aclrtCreateStream, aclrtCreateStreamWithConfig, aclrtDestroyStream, aclrtDestroyStreamForce,
            aclrtSynchronizeStream, aclrtSynchronizeStreamWithTimeout, aclrtStreamQuery, aclrtStreamGetId,
            aclrtStreamGetPriority, aclrtStreamGetFlags, aclrtSetStreamFailureMode, aclrtGetStreamAvailableNum,
            aclrtStreamAbort, aclrtStreamStop,
        }
        limits {
            aclrtGetStreamResLimit, aclrtSetStreamResLimit, aclrtResetStreamResLimit, aclrtUseStreamResInCurrentThread,
            aclrtUnuseStreamResInCurrentThread, aclrtGetResInCurrentThread,
        }
        submit {
            aclrtGetThreadLastTaskId,
        }
        attributes {
            aclrtCreateStreamConfigHandle, aclrtDestroyStreamConfigHandle, aclrtSetStreamConfigOpt, aclrtCreateStreamV2,
            aclrtSetStreamAttribute, aclrtGetStreamAttribute,
        }
        stream_watchers {
            aclrtRegStreamStateCallback,
        }
        overflow {
            aclrtSetStreamOverflowSwitch, aclrtGetStreamOverflowSwitch,
        }
        ..refused::STREAM
    }),
    event: table!(EventTable {
        event {
            aclrtCreateEvent, aclrtCreateEventWithFlag, aclrtCreateEventExWithFlag, aclrtDestroyEvent, aclrtRecordEvent,
            aclrtRecordEventWithFlag, aclrtResetEvent, aclrtQueryEvent, aclrtQueryEventStatus,
            aclrtQueryEventWaitStatus, aclrtSynchronizeEvent, aclrtSynchronizeEventWithTimeout, aclrtEventElapsedTime,
            aclrtEventGetTimestamp, aclrtStreamWaitEvent, aclrtStreamWaitEventWithTimeout, aclrtStreamWaitEventWithFlag,
            aclrtSetOpWaitTimeout, aclrtGetEventId, aclrtGetEventAvailNum,
        }
        notify {
            aclrtCreateNotify, aclrtDestroyNotify, aclrtRecordNotify, aclrtWaitAndResetNotify, aclrtGetNotifyId,
            aclrtNotifyBatchReset,
        }
        counter {
            aclrtCntNotifyCreate, aclrtCntNotifyDestroy, aclrtCntNotifyRecord, aclrtCntNotifyWaitWithTimeout,
            aclrtCntNotifyReset, aclrtCntNotifyGetId,
        }
        exported {
            aclrtNotifyGetExportKey, aclrtNotifySetImportPid, aclrtNotifyImportByKey,
        }
        ipc {
            aclrtIpcGetEventHandle, aclrtIpcOpenEventHandle,
        }
        ..EventTable::ABSENT
    }),
    memory: table!(MemoryTable {
        memory {
            aclrtMalloc, aclrtMallocAlign32, aclrtMallocCached, aclrtFree, aclrtFreeWithDevSync, aclrtMallocHost,
            aclrtFreeHost, aclrtFreeHostWithDevSync, aclrtGetMemInfo, aclrtPointerGetAttributes, aclrtCheckMemType,
            aclrtMemGetAddressRange,
        }
        cache {
            aclrtMemFlush, aclrtMemInvalidate, aclrtCmoAsync,
        }
        allocator {
            aclrtAllocatorCreateDesc, aclrtAllocatorDestroyDesc, aclrtAllocatorSetObjToDesc,
            aclrtAllocatorSetAllocFuncToDesc, aclrtAllocatorSetFreeFuncToDesc, aclrtAllocatorSetAllocAdviseFuncToDesc,
            aclrtAllocatorSetGetAddrFromBlockFuncToDesc, aclrtAllocatorRegister, aclrtAllocatorUnregister,
            aclrtAllocatorGetByStream,
        }
        configured {
            aclrtMallocWithCfg, aclrtMallocHostWithCfg, aclrtMallocForTaskScheduler,
        }
        copy {
            aclrtMemcpy, aclrtMemcpyAsync, aclrtMemcpyAsyncWithCondition, aclrtMemset, aclrtMemsetAsync, aclrtMemsetD32,
            aclrtMemsetD32Async, aclrtMemcpy2d, aclrtMemcpy2dAsync, aclrtGetMemcpyDescSize, aclrtSetMemcpyDesc,
            aclrtMemcpyAsyncWithDesc, aclrtMemcpyAsyncWithOffset,
        }
        peer {
            aclrtMemP2PMap,
        }
        share {
            aclrtIpcMemGetExportKey, aclrtIpcMemImportByKey, aclrtIpcMemSetImportPid, aclrtIpcMemClose,
            aclrtMemExportToShareableHandle, aclrtMemExportToShareableHandleV2, aclrtMemImportFromShareableHandle,
            aclrtMemImportFromShareableHandleV2, aclrtMemSetPidToShareableHandle, aclrtMemSetPidToShareableHandleV2,
        }
        pool {
            aclrtMemPoolCreate, aclrtMemPoolDestroy, aclrtMemPoolSetAttr, aclrtMemPoolGetAttr, aclrtMemPoolMallocAsync,
            aclrtMemPoolFreeAsync, aclrtMemPoolTrimTo,
        }
        batch {
            aclrtMemcpyBatch, aclrtMemcpyBatchV2, aclrtMemcpyBatchAsync, aclrtMemcpyBatchAsyncV2,
        }
        reduce {
            aclrtReduceAsync,
        }
        value {
            aclrtValueWrite, aclrtValueWait,
        }
        register {
            aclrtHostRegister, aclrtHostUnregister, aclrtHostRegisterV2, aclrtHostGetDevicePointer,
        }
        reserved {
            aclrtReserveMemAddress, aclrtReserveMemAddressNoUCMemory, aclrtReleaseMemAddress,
        }
        virtual_memory {
            aclrtMemGetAllocationPropertiesFromHandle, aclrtMallocPhysical, aclrtFreePhysical, aclrtMapMem,
            aclrtUnmapMem, aclrtMemRetainAllocationHandle, aclrtMemSetAccess, aclrtMemGetAllocationGranularity,
            aclrtMemGetAccess, aclrtMemMapNoAccess,
        }
        ..refused::MEMORY
    }),
    callback: table!(CallbackTable {
        callback {
            aclrtSubscribeReport, aclrtUnSubscribeReport, aclrtProcessReport, aclrtLaunchCallback, aclrtLaunchHostFunc,
            aclrtSubscribeHostFunc, aclrtProcessHostFunc, aclrtUnSubscribeHostFunc,
        }
    }),
    #[cfg(feature = "operators")]
    op: op::TABLE,
    #[cfg(not(feature = "operators"))]
    op: ascendcl_sys::OpTable::ABSENT,
    model: model::TABLE,
    #[cfg(feature = "collectives")]
    collective: table!(CollectiveTable {
        collective {
            HcclGetRootInfo, HcclCommInitRootInfo, HcclCommInitRootInfoConfig, HcclCommInitAll, HcclCommInitClusterInfo,
            HcclCommInitClusterInfoConfig, HcclCreateSubCommConfig, HcclCommDestroy, HcclGetRankSize, HcclGetRankId,
            HcclGetCommName, HcclSetConfig, HcclGetConfig, HcclGetCommAsyncError, HcclGetErrorString,
            HcclGetCommConfigCapability, HcclAllReduce, HcclBroadcast, HcclReduceScatter, HcclReduceScatterV,
            HcclScatter, HcclAllGather, HcclAllGatherV, HcclReduce, HcclSend, HcclRecv, HcclBatchSendRecv, HcclAlltoAll,
            HcclAlltoAllV, HcclAlltoAllVC, HcclBarrier, HcclCommSuspend, HcclCommResume, HcclCommSetMemoryRange,
            HcclCommUnsetMemoryRange, HcclCommActivateCommMemory, HcclCommDeactivateCommMemory, HcclGroupStart,
            HcclGroupEnd, HcclGetRootInfoScalable, HcclCommInitRootInfoScalable, HcclSetCommConfig, HcclGetCommConfig,
            HcclCommWorkingDevNicSet, HcclCommRegister, HcclCommDeregister, HcclCommExchangeMem, HcclCommSymWinRegister,
            HcclCommSymWinDeregister, HcclCommSymWinGet,
        }
    }),
    #[cfg(not(feature = "collectives"))]
    collective: CollectiveTable::ABSENT,
    graph: graph::TABLE,
    #[cfg(feature = "profiling")]
    profiling: profiling::TABLE,
    #[cfg(not(feature = "profiling"))]
    profiling: ascendcl_sys::ProfilingTable::ABSENT,
    #[cfg(feature = "media")]
    media: table!(MediaTable {
        media {
            acldvppCreateChannelDesc, acldvppDestroyChannelDesc, acldvppGetChannelDescChannelId, acldvppCreatePicDesc,
            acldvppDestroyPicDesc, acldvppSetPicDescData, acldvppSetPicDescSize, acldvppSetPicDescFormat,
            acldvppSetPicDescWidth, acldvppSetPicDescHeight, acldvppSetPicDescWidthStride,
            acldvppSetPicDescHeightStride, acldvppSetPicDescRetCode, acldvppGetPicDescData, acldvppGetPicDescSize,
            acldvppGetPicDescFormat, acldvppGetPicDescWidth, acldvppGetPicDescHeight, acldvppGetPicDescWidthStride,
            acldvppGetPicDescHeightStride, acldvppGetPicDescRetCode, acldvppCreateRoiConfig, acldvppDestroyRoiConfig,
            acldvppSetRoiConfigLeft, acldvppSetRoiConfigRight, acldvppSetRoiConfigTop, acldvppSetRoiConfigBottom,
            acldvppSetRoiConfig, acldvppCreateResizeConfig, acldvppDestroyResizeConfig, acldvppCreateJpegeConfig,
            acldvppDestroyJpegeConfig, acldvppSetJpegeConfigLevel, acldvppGetJpegeConfigLevel, acldvppJpegGetImageInfo,
            acldvppJpegGetImageInfoV2, acldvppJpegPredictEncSize, acldvppJpegPredictDecSize, acldvppPngGetImageInfo,
            acldvppPngPredictDecSize, acldvppCreateChannel, acldvppDestroyChannel, acldvppVpcResizeAsync,
            acldvppVpcCropAsync, acldvppVpcCropResizeAsync, acldvppVpcBatchCropAsync, acldvppVpcBatchCropResizeAsync,
            acldvppVpcCropAndPasteAsync, acldvppVpcCropResizePasteAsync, acldvppVpcBatchCropAndPasteAsync,
            acldvppVpcBatchCropResizePasteAsync, acldvppJpegDecodeAsync, acldvppJpegEncodeAsync, acldvppPngDecodeAsync,
            acldvppVpcConvertColorAsync, acldvppVpcPyrDownAsync, acldvppSetChannelDescMode,
            acldvppSetResizeConfigInterpolation, acldvppGetResizeConfigInterpolation, acldvppCreateBatchPicDesc,
            acldvppGetPicDesc, acldvppDestroyBatchPicDesc, acldvppCreateLutMap, acldvppDestroyLutMap,
            acldvppGetLutMapDims, acldvppGetLutMapData, acldvppVpcEqualizeHistAsync, acldvppCreateBorderConfig,
            acldvppSetBorderConfigValue, acldvppSetBorderConfigBorderType, acldvppSetBorderConfigTop,
            acldvppSetBorderConfigBottom, acldvppSetBorderConfigLeft, acldvppSetBorderConfigRight,
            acldvppGetBorderConfigValue, acldvppGetBorderConfigBorderType, acldvppGetBorderConfigTop,
            acldvppGetBorderConfigBottom, acldvppGetBorderConfigLeft, acldvppGetBorderConfigRight,
            acldvppDestroyBorderConfig, acldvppVpcMakeBorderAsync, acldvppVpcCalcHistAsync, acldvppCreateHist,
            acldvppDestroyHist, acldvppGetHistDims, acldvppGetHistData, acldvppGetHistRetCode, acldvppClearHist,
            acldvppVpcBatchCropResizeMakeBorderAsync, acldvppSetChannelDescParam, acldvppGetChannelDescParam,
            hi_mpi_dvpp_get_version, hi_mpi_sys_init, hi_mpi_sys_exit, hi_mpi_sys_set_chn_csc_matrix,
            hi_mpi_sys_get_chn_csc_matrix, hi_mpi_sys_get_image_align_info, hi_mpi_vpc_create_chn,
            hi_mpi_vpc_sys_create_chn, hi_mpi_vpc_destroy_chn, hi_mpi_vpc_crop, hi_mpi_vpc_resize,
            hi_mpi_vpc_crop_resize, hi_mpi_vpc_crop_resize_paste, hi_mpi_vpc_batch_crop_resize_paste,
            hi_mpi_vpc_crop_resize_make_border, hi_mpi_vpc_batch_crop_resize_make_border,
            hi_mpi_vpc_crop_resize_resize_paste, hi_mpi_vpc_convert_color, hi_mpi_vpc_convert_color_to_yuv420,
            hi_mpi_vpc_convert_color_v2, hi_mpi_vpc_copy_make_border, hi_mpi_vpc_pyrdown, hi_mpi_vpc_calc_hist,
            hi_mpi_vpc_equalize_hist, hi_mpi_vpc_rotate, hi_mpi_vpc_flip, hi_mpi_vpc_get_process_result,
            hi_vdec_get_pic_buf_size, hi_vdec_get_tmv_buf_size, hi_mpi_vdec_create_chn, hi_mpi_vdec_destroy_chn,
            hi_mpi_vdec_set_chn_attr, hi_mpi_vdec_get_chn_attr, hi_mpi_vdec_start_recv_stream,
            hi_mpi_vdec_stop_recv_stream, hi_mpi_vdec_query_status, hi_mpi_vdec_reset_chn, hi_mpi_vdec_set_chn_param,
            hi_mpi_vdec_get_chn_param, hi_mpi_vdec_send_stream, hi_mpi_vdec_get_frame, hi_mpi_vdec_release_frame,
            hi_mpi_vdec_set_jpegd_precision_mode, hi_mpi_vdec_get_jpegd_output_info, hi_mpi_dvpp_get_image_info,
            hi_mpi_pngd_create_chn, hi_mpi_pngd_destroy_chn, hi_mpi_pngd_send_stream, hi_mpi_pngd_get_image_data,
            hi_mpi_png_get_image_info, hi_mpi_venc_create_chn, hi_mpi_venc_destroy_chn, hi_mpi_venc_start_chn,
            hi_mpi_venc_stop_chn, hi_mpi_venc_query_status, hi_mpi_venc_get_stream, hi_mpi_venc_release_stream,
            hi_mpi_venc_send_frame, hi_mpi_venc_send_jpege_frame, hi_mpi_venc_get_jpege_predicted_size,
            hi_mpi_venc_set_jpeg_param, hi_mpi_venc_get_jpeg_param,
        }
        ..MEDIA_MEMORY
    }),
    #[cfg(not(feature = "media"))]
    media: MEDIA_MEMORY,
    log: LogTable::ABSENT,
};

/// The memory of the media engine, which needs no engine.
#[allow(
    clippy::needless_update,
    reason = "without the feature `media` the table has no other functions"
)]
const MEDIA_MEMORY: MediaTable = table!(MediaTable {
    dvpp {
        acldvppMalloc, acldvppMallocWithCfg, acldvppFree, hi_mpi_dvpp_malloc, hi_mpi_dvpp_free,
    }
    ..MediaTable::ABSENT
});
