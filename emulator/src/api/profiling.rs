//! The functions of the profiler.

use ascendcl_sys::ProfilingTable;

use crate::profiling;

/// The table of this area.
pub(super) const TABLE: ProfilingTable = ProfilingTable {
    aclprofInit: profiling::aclprofInit,
    aclprofFinalize: profiling::aclprofFinalize,
    aclprofCreateConfig: profiling::aclprofCreateConfig,
    aclprofDestroyConfig: profiling::aclprofDestroyConfig,
    aclprofSetConfig: profiling::aclprofSetConfig,
    aclprofStart: profiling::aclprofStart,
    aclprofStop: profiling::aclprofStop,
    aclprofCreateSubscribeConfig: profiling::aclprofCreateSubscribeConfig,
    aclprofDestroySubscribeConfig: profiling::aclprofDestroySubscribeConfig,
    aclprofModelSubscribe: profiling::aclprofModelSubscribe,
    aclprofModelUnSubscribe: profiling::aclprofModelUnSubscribe,
    aclprofGetOpDescSize: profiling::aclprofGetOpDescSize,
    aclprofGetOpNum: profiling::aclprofGetOpNum,
    aclprofGetOpTypeLen: profiling::aclprofGetOpTypeLen,
    aclprofGetOpType: profiling::aclprofGetOpType,
    aclprofGetOpNameLen: profiling::aclprofGetOpNameLen,
    aclprofGetOpName: profiling::aclprofGetOpName,
    aclprofGetOpStart: profiling::aclprofGetOpStart,
    aclprofGetOpEnd: profiling::aclprofGetOpEnd,
    aclprofGetOpDuration: profiling::aclprofGetOpDuration,
    aclprofGetModelId: profiling::aclprofGetModelId,
    aclprofGetOpFlag: profiling::aclprofGetOpFlag,
    aclprofGetOpAttriValue: profiling::aclprofGetOpAttriValue,
    aclprofCreateStepInfo: profiling::aclprofCreateStepInfo,
    aclprofDestroyStepInfo: profiling::aclprofDestroyStepInfo,
    aclprofGetStepTimestamp: profiling::aclprofGetStepTimestamp,
    aclprofCreateStamp: profiling::aclprofCreateStamp,
    aclprofDestroyStamp: profiling::aclprofDestroyStamp,
    aclprofSetStampTraceMessage: profiling::aclprofSetStampTraceMessage,
    aclprofMark: profiling::aclprofMark,
    aclprofMarkEx: profiling::aclprofMarkEx,
    aclprofPush: profiling::aclprofPush,
    aclprofPop: profiling::aclprofPop,
    aclprofRangeStart: profiling::aclprofRangeStart,
    aclprofRangeStop: profiling::aclprofRangeStop,
    aclprofStr2Id: profiling::aclprofStr2Id,
    aclprofRangePushEx: profiling::aclprofRangePushEx,
    aclprofRangePop: profiling::aclprofRangePop,
};
