//! The functions of the profiler.

use ascendcl_sys::ProfilingTable;

use crate::profiling;

/// The table of this area.
pub(super) const TABLE: ProfilingTable = table!(ProfilingTable {
    profiling {
        aclprofInit, aclprofFinalize, aclprofCreateConfig, aclprofDestroyConfig, aclprofSetConfig, aclprofStart,
        aclprofStop, aclprofCreateSubscribeConfig, aclprofDestroySubscribeConfig, aclprofModelSubscribe,
        aclprofModelUnSubscribe, aclprofGetOpDescSize, aclprofGetOpNum, aclprofGetOpTypeLen, aclprofGetOpType,
        aclprofGetOpNameLen, aclprofGetOpName, aclprofGetOpStart, aclprofGetOpEnd, aclprofGetOpDuration,
        aclprofGetModelId, aclprofGetOpFlag, aclprofGetOpAttriValue, aclprofCreateStepInfo, aclprofDestroyStepInfo,
        aclprofGetStepTimestamp, aclprofCreateStamp, aclprofDestroyStamp, aclprofSetStampTraceMessage, aclprofMark,
        aclprofMarkEx, aclprofPush, aclprofPop, aclprofRangeStart, aclprofRangeStop, aclprofStr2Id, aclprofRangePushEx,
        aclprofRangePop,
    }
});
