//! The functions of graphs, in the tables of models and streams. Without the feature `graphs` the emulator lacks them.

use ascendcl_sys::{ModelTable, StreamTable};

#[cfg(feature = "graphs")]
use crate::graph;

/// The table of models with these functions alone.
#[cfg(feature = "graphs")]
pub(super) const MODEL: ModelTable = ModelTable {
    aclmdlRICaptureBegin: graph::aclmdlRICaptureBegin,
    aclmdlRICaptureToModelRIBegin: graph::aclmdlRICaptureToModelRIBegin,
    aclmdlRICaptureEnd: graph::aclmdlRICaptureEnd,
    aclmdlRIBuildBegin: graph::aclmdlRIBuildBegin,
    aclmdlRIBindStream: graph::aclmdlRIBindStream,
    aclmdlRIEndTask: graph::aclmdlRIEndTask,
    aclmdlRIBuildEnd: graph::aclmdlRIBuildEnd,
    aclmdlRIUnbindStream: graph::aclmdlRIUnbindStream,
    aclmdlRIExecuteAsync: graph::aclmdlRIExecuteAsync,
    aclmdlRIAbort: graph::aclmdlRIAbort,
    aclmdlRIDestroy: graph::aclmdlRIDestroy,
    aclmdlRICaptureGetInfo: graph::aclmdlRICaptureGetInfo,
    aclmdlRICaptureThreadExchangeMode: graph::aclmdlRICaptureThreadExchangeMode,
    aclmdlRICaptureTaskGrpBegin: graph::aclmdlRICaptureTaskGrpBegin,
    aclmdlRICaptureTaskGrpEnd: graph::aclmdlRICaptureTaskGrpEnd,
    aclmdlRICaptureTaskUpdateBegin: graph::aclmdlRICaptureTaskUpdateBegin,
    aclmdlRICaptureTaskUpdateEnd: graph::aclmdlRICaptureTaskUpdateEnd,
    aclmdlRIExecute: graph::aclmdlRIExecute,
    aclmdlRISetName: graph::aclmdlRISetName,
    aclmdlRIGetName: graph::aclmdlRIGetName,
    aclmdlRIGetId: graph::aclmdlRIGetId,
    aclmdlRIGetStreams: graph::aclmdlRIGetStreams,
    aclmdlRIGetTasksByStream: graph::aclmdlRIGetTasksByStream,
    aclmdlRITaskGetType: graph::aclmdlRITaskGetType,
    aclmdlRITaskGetSeqId: graph::aclmdlRITaskGetSeqId,
    aclmdlRITaskGetParams: graph::aclmdlRITaskGetParams,
    aclmdlRITaskSetParams: graph::aclmdlRITaskSetParams,
    aclmdlRITaskDisable: graph::aclmdlRITaskDisable,
    aclmdlRIKernelTaskGetAttribute: graph::aclmdlRIKernelTaskGetAttribute,
    aclmdlRIUpdate: graph::aclmdlRIUpdate,
    aclmdlRIDestroyRegisterCallback: graph::aclmdlRIDestroyRegisterCallback,
    aclmdlRIDestroyUnregisterCallback: graph::aclmdlRIDestroyUnregisterCallback,
    aclmdlRIDebugPrint: graph::aclmdlRIDebugPrint,
    aclmdlRIDebugJsonPrint: graph::aclmdlRIDebugJsonPrint,
    aclmdlRICondHandleCreate: graph::aclmdlRICondHandleCreate,
    aclmdlRICondHandleGetCondPtr: graph::aclmdlRICondHandleGetCondPtr,
    aclmdlRIAddCondTask: graph::aclmdlRIAddCondTask,
    ..ModelTable::ABSENT
};

/// The table of streams with these functions alone.
#[cfg(feature = "graphs")]
pub(super) const STREAM: StreamTable = StreamTable {
    aclrtActiveStream: graph::aclrtActiveStream,
    aclrtCreateLabel: graph::aclrtCreateLabel,
    aclrtSetLabel: graph::aclrtSetLabel,
    aclrtDestroyLabel: graph::aclrtDestroyLabel,
    aclrtCreateLabelList: graph::aclrtCreateLabelList,
    aclrtDestroyLabelList: graph::aclrtDestroyLabelList,
    aclrtSwitchLabelByIndex: graph::aclrtSwitchLabelByIndex,
    ..StreamTable::ABSENT
};

#[cfg(not(feature = "graphs"))]
pub(super) const MODEL: ModelTable = ModelTable::ABSENT;

#[cfg(not(feature = "graphs"))]
pub(super) const STREAM: StreamTable = StreamTable::ABSENT;
