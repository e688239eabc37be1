//! The functions of graphs, some of which are in the table of streams. Without the feature `graphs` the emulator lacks them.

use ascendcl_sys::{GraphTable, StreamTable};

#[cfg(feature = "graphs")]
use crate::graph;

#[cfg(feature = "graphs")]
pub(super) const TABLE: GraphTable = table!(GraphTable {
    graph {
        aclmdlRICaptureBegin, aclmdlRICaptureToModelRIBegin, aclmdlRICaptureEnd, aclmdlRIBuildBegin, aclmdlRIBindStream,
        aclmdlRIEndTask, aclmdlRIBuildEnd, aclmdlRIUnbindStream, aclmdlRIExecuteAsync, aclmdlRIAbort, aclmdlRIDestroy,
        aclmdlRICaptureGetInfo, aclmdlRICaptureThreadExchangeMode, aclmdlRICaptureTaskGrpBegin,
        aclmdlRICaptureTaskGrpEnd, aclmdlRICaptureTaskUpdateBegin, aclmdlRICaptureTaskUpdateEnd, aclmdlRIExecute,
        aclmdlRISetName, aclmdlRIGetName, aclmdlRIGetId, aclmdlRIGetStreams, aclmdlRIGetTasksByStream,
        aclmdlRITaskGetType, aclmdlRITaskGetSeqId, aclmdlRITaskGetParams, aclmdlRITaskSetParams, aclmdlRITaskDisable,
        aclmdlRIKernelTaskGetAttribute, aclmdlRIUpdate, aclmdlRIDestroyRegisterCallback,
        aclmdlRIDestroyUnregisterCallback, aclmdlRIDebugPrint, aclmdlRIDebugJsonPrint, aclmdlRICondHandleCreate,
        aclmdlRICondHandleGetCondPtr, aclmdlRIAddCondTask,
    }
});

/// The table of streams with these functions alone.
#[cfg(feature = "graphs")]
pub(super) const STREAM: StreamTable = table!(StreamTable {
    graph {
        aclrtActiveStream, aclrtCreateLabel, aclrtSetLabel, aclrtDestroyLabel, aclrtCreateLabelList,
        aclrtDestroyLabelList, aclrtSwitchLabelByIndex,
    }
    ..StreamTable::ABSENT
});

#[cfg(not(feature = "graphs"))]
pub(super) const TABLE: GraphTable = GraphTable::ABSENT;

#[cfg(not(feature = "graphs"))]
pub(super) const STREAM: StreamTable = StreamTable::ABSENT;
