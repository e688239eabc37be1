//! The profiler (`acl/acl_prof.h`).
//!
//! CANN has these functions in `libmsprofiler.so`, with which few programs are linked. So all of them are marked as newer:
//! a linked program finds them where it has that library, and a backend that is loaded loads it with the first call.
//! Without the feature `profiling` none is declared.

#[allow(unused_imports, reason = "an area may need types of any other")]
use crate::{structs::*, types::*};
#[allow(unused_imports, reason = "an area may need types of any other")]
use core::ffi::{c_char, c_void};

/// Calls `$callback!` with the functions of the profiler: none without the feature `profiling`.
#[cfg(not(feature = "profiling"))]
#[doc(hidden)]
#[macro_export]
macro_rules! profiling_functions {
    ($callback:path) => {
        $callback! { area "profiling", ProfilingTable; }
    };
}

/// Calls `$callback!` with the functions of the profiler.
#[cfg(feature = "profiling")]
#[doc(hidden)]
#[macro_export]
macro_rules! profiling_functions {
    ($callback:path) => {
        $callback! {
            area "profiling", ProfilingTable;
            /// Makes the profiler ready, and names the folder of its results with the length of that text.
            #[newer]
            fn aclprofInit(profilerResultPath: *const c_char, length: usize) -> aclError;
            /// Ends profiling, and writes what is not written yet.
            #[newer]
            fn aclprofFinalize() -> aclError;
            /// Makes a configuration: the devices and the kinds of data. Null if an argument is wrong.
            #[newer]
            fn aclprofCreateConfig(deviceIdList: *mut u32, deviceNums: u32, aicoreMetrics: aclprofAicoreMetrics, aicoreEvents: *const aclprofAicoreEvents, dataTypeConfig: u64) -> *mut aclprofConfig;
            /// Destroys a configuration.
            #[newer]
            fn aclprofDestroyConfig(profilerConfig: *const aclprofConfig) -> aclError;
            /// Sets an option that a configuration has no place for, as a text with its length.
            #[newer]
            fn aclprofSetConfig(configType: aclprofConfigType, config: *const c_char, configLength: usize) -> aclError;
            /// Starts profiling of the devices of a configuration.
            #[newer]
            fn aclprofStart(profilerConfig: *const aclprofConfig) -> aclError;
            /// Stops profiling of the devices of a configuration, which is that of `aclprofStart`.
            #[newer]
            fn aclprofStop(profilerConfig: *const aclprofConfig) -> aclError;
            /// Makes the options for the operators of a model; the data goes to the pipe `fd`. Null if an argument is wrong.
            #[newer]
            fn aclprofCreateSubscribeConfig(timeInfoSwitch: i8, aicoreMetrics: aclprofAicoreMetrics, fd: *mut c_void) -> *mut aclprofSubscribeConfig;
            /// Destroys such options.
            #[newer]
            fn aclprofDestroySubscribeConfig(profSubscribeConfig: *const aclprofSubscribeConfig) -> aclError;
            /// Starts to write data about the operators of a model into a pipe.
            #[newer]
            fn aclprofModelSubscribe(modelId: u32, profSubscribeConfig: *const aclprofSubscribeConfig) -> aclError;
            /// Stops what `aclprofModelSubscribe` started.
            #[newer]
            fn aclprofModelUnSubscribe(modelId: u32) -> aclError;
            /// Returns the number of bytes of one operator in the pipe.
            #[newer]
            fn aclprofGetOpDescSize(opDescSize: *mut usize) -> aclError;
            /// Returns the number of operators in data of the pipe.
            #[newer]
            fn aclprofGetOpNum(opInfo: *const c_void, opInfoLen: usize, opNumber: *mut u32) -> aclError;
            /// Returns the length of the type of an operator.
            #[newer]
            fn aclprofGetOpTypeLen(opInfo: *const c_void, opInfoLen: usize, index: u32, opTypeLen: *mut usize) -> aclError;
            /// Returns the type of an operator.
            #[newer]
            fn aclprofGetOpType(opInfo: *const c_void, opInfoLen: usize, index: u32, opType: *mut c_char, opTypeLen: usize) -> aclError;
            /// Returns the length of the name of an operator.
            #[newer]
            fn aclprofGetOpNameLen(opInfo: *const c_void, opInfoLen: usize, index: u32, opNameLen: *mut usize) -> aclError;
            /// Returns the name of an operator.
            #[newer]
            fn aclprofGetOpName(opInfo: *const c_void, opInfoLen: usize, index: u32, opName: *mut c_char, opNameLen: usize) -> aclError;
            /// Returns when an operator began; 0 is a failure.
            #[newer]
            fn aclprofGetOpStart(opInfo: *const c_void, opInfoLen: usize, index: u32) -> u64;
            /// Returns when an operator ended; 0 is a failure.
            #[newer]
            fn aclprofGetOpEnd(opInfo: *const c_void, opInfoLen: usize, index: u32) -> u64;
            /// Returns how long an operator took; 0 is a failure.
            #[newer]
            fn aclprofGetOpDuration(opInfo: *const c_void, opInfoLen: usize, index: u32) -> u64;
            /// Returns the model of an operator; 0 is a failure.
            #[newer]
            fn aclprofGetModelId(opInfo: *const c_void, opInfoLen: usize, index: u32) -> usize;
            /// Returns whether an entry is an operator or a part of a model.
            #[newer]
            fn aclprofGetOpFlag(opInfo: *const c_void, opInfoLen: usize, index: u32) -> aclprofSubscribeOpFlag;
            /// Returns an attribute of an operator as a text; null is a failure.
            #[newer]
            fn aclprofGetOpAttriValue(opInfo: *const c_void, opInfoLen: usize, index: u32, attri: aclprofSubscribeOpAttri) -> *const c_char;
            /// Makes a step, whose start and end `aclprofGetStepTimestamp` records.
            #[newer]
            fn aclprofCreateStepInfo() -> *mut aclprofStepInfo;
            /// Destroys a step.
            #[newer]
            fn aclprofDestroyStepInfo(stepinfo: *mut aclprofStepInfo) -> ();
            /// Records the start or the end of a step in a stream.
            #[newer]
            fn aclprofGetStepTimestamp(stepInfo: *mut aclprofStepInfo, tag: aclprofStepTag, stream: aclrtStream) -> aclError;
            /// Makes a stamp, the mark of an event of the program. Null unless profiling with `ACL_PROF_MSPROFTX` runs.
            #[newer]
            fn aclprofCreateStamp() -> *mut c_void;
            /// Destroys a stamp.
            #[newer]
            fn aclprofDestroyStamp(stamp: *mut c_void) -> ();
            /// Sets the text of a stamp, which has less than 128 bytes.
            #[newer]
            fn aclprofSetStampTraceMessage(stamp: *mut c_void, msg: *const c_char, msgLen: u32) -> aclError;
            /// Records an event without length.
            #[newer]
            fn aclprofMark(stamp: *mut c_void) -> aclError;
            /// Records an event with its text, in the program and in a stream.
            #[newer]
            fn aclprofMarkEx(msg: *const c_char, msgLen: usize, stream: aclrtStream) -> aclError;
            /// Records the start of a span of the calling thread.
            #[newer]
            fn aclprofPush(stamp: *mut c_void) -> aclError;
            /// Records the end of the span that was pushed last.
            #[newer]
            fn aclprofPop() -> aclError;
            /// Records the start of a span that any thread may end.
            #[newer]
            fn aclprofRangeStart(stamp: *mut c_void, rangeId: *mut u32) -> aclError;
            /// Records the end of such a span.
            #[newer]
            fn aclprofRangeStop(rangeId: u32) -> aclError;
            /// Returns the number that stands for a text in an `aclprofTensorInfo`.
            #[newer]
            fn aclprofStr2Id(message: *const c_char) -> u64;
            /// Records the start of an operator of the program, with its tensors.
            #[newer]
            fn aclprofRangePushEx(attr: *mut aclprofEventAttributes) -> aclError;
            /// Records the end of the operator that was pushed.
            #[newer]
            fn aclprofRangePop() -> aclError;
        }
    };
}
profiling_functions!(define);

#[cfg(feature = "loaded")]
pub(crate) use profiling_functions;
