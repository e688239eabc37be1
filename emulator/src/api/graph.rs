//! The functions of graphs, some of which are in the table of streams. Without the feature `graphs` the emulator lacks them.

use ascendcl_sys::{GraphTable, StreamTable};

#[cfg(feature = "graphs")]
use crate::graph;

#[cfg(feature = "graphs")]
pub(super) const TABLE: GraphTable = GraphTable {
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
pub(super) const TABLE: GraphTable = GraphTable::ABSENT;

#[cfg(not(feature = "graphs"))]
pub(super) const STREAM: StreamTable = StreamTable::ABSENT;
