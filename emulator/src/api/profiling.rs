//! The functions of the profiler.

use ascendcl_sys::ProfilingTable;

use crate::profiling;
use crate::refusal;

/// The table of this area.
pub(super) const TABLE: ProfilingTable = ProfilingTable {
    aclprofInit: profiling::aclprofInit,
    aclprofFinalize: profiling::aclprofFinalize,
    aclprofCreateConfig: profiling::aclprofCreateConfig,
    aclprofDestroyConfig: profiling::aclprofDestroyConfig,
    aclprofSetConfig: profiling::aclprofSetConfig,
    aclprofStart: profiling::aclprofStart,
    aclprofStop: profiling::aclprofStop,
    aclprofCreateSubscribeConfig: refusal::aclprofCreateSubscribeConfig,
    aclprofDestroySubscribeConfig: refusal::aclprofDestroySubscribeConfig,
    aclprofModelSubscribe: refusal::aclprofModelSubscribe,
    aclprofModelUnSubscribe: refusal::aclprofModelUnSubscribe,
    aclprofGetOpDescSize: refusal::aclprofGetOpDescSize,
    aclprofGetOpNum: refusal::aclprofGetOpNum,
    aclprofGetOpTypeLen: refusal::aclprofGetOpTypeLen,
    aclprofGetOpType: refusal::aclprofGetOpType,
    aclprofGetOpNameLen: refusal::aclprofGetOpNameLen,
    aclprofGetOpName: refusal::aclprofGetOpName,
    aclprofGetOpStart: refusal::aclprofGetOpStart,
    aclprofGetOpEnd: refusal::aclprofGetOpEnd,
    aclprofGetOpDuration: refusal::aclprofGetOpDuration,
    aclprofGetModelId: refusal::aclprofGetModelId,
    aclprofGetOpFlag: refusal::aclprofGetOpFlag,
    aclprofGetOpAttriValue: refusal::aclprofGetOpAttriValue,
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
