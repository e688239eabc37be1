//! Streams (`acl/acl_rt.h`).

#[allow(unused_imports, reason = "an area may need types of any other")]
use crate::{structs::*, types::*};
#[allow(unused_imports, reason = "an area may need types of any other")]
use core::ffi::{c_char, c_void};

/// Calls `$callback!` with the stream functions.
#[doc(hidden)]
#[macro_export]
macro_rules! stream_functions {
    ($callback:path) => {
        $callback! {
            area "stream", StreamTable;
            /// Create stream in the current context.
            fn aclrtCreateStream(stream: *mut aclrtStream) -> aclError;
            /// Create stream with priority and flags.
            fn aclrtCreateStreamWithConfig(stream: *mut aclrtStream, priority: u32, flag: u32) -> aclError;
            /// Destroy stream, waiting for its tasks.
            fn aclrtDestroyStream(stream: aclrtStream) -> aclError;
            /// Destroy; documented as not waiting, observed to wait for queued work.
            fn aclrtDestroyStreamForce(stream: aclrtStream) -> aclError;
            /// Block the host thread until the stream is idle.
            fn aclrtSynchronizeStream(stream: aclrtStream) -> aclError;
            /// Same with timeout in ms (-1 forever).
            fn aclrtSynchronizeStreamWithTimeout(stream: aclrtStream, timeout: i32) -> aclError;
            /// Are all tasks done.
            fn aclrtStreamQuery(stream: aclrtStream, status: *mut aclrtStreamStatus) -> aclError;
            /// Numeric id.
            fn aclrtStreamGetId(stream: aclrtStream, streamId: *mut i32) -> aclError;
            /// Priority.
            [newer] fn aclrtStreamGetPriority(stream: aclrtStream, priority: *mut u32) -> aclError;
            /// Creation flags.
            [newer] fn aclrtStreamGetFlags(stream: aclrtStream, flags: *mut u32) -> aclError;
            /// Continue / stop on task failure (once per stream).
            fn aclrtSetStreamFailureMode(stream: aclrtStream, mode: u64) -> aclError;
            /// Streams left on the device.
            [newer] fn aclrtGetStreamAvailableNum(streamCount: *mut u32) -> aclError;
            /// The cores that the work of a stream may use.
            [newer] fn aclrtGetStreamResLimit(stream: aclrtStream, type_: aclrtDevResLimitType, value: *mut u32) -> aclError;
            /// Limits them.
            [newer] fn aclrtSetStreamResLimit(stream: aclrtStream, type_: aclrtDevResLimitType, value: u32) -> aclError;
            /// Removes the limit.
            [newer] fn aclrtResetStreamResLimit(stream: aclrtStream) -> aclError;
            /// Makes a stream's limit that of the calling thread.
            [newer] fn aclrtUseStreamResInCurrentThread(stream: aclrtStream) -> aclError;
            /// Ends that.
            [newer] fn aclrtUnuseStreamResInCurrentThread(stream: aclrtStream) -> aclError;
            /// The cores that work of the calling thread may use.
            [newer] fn aclrtGetResInCurrentThread(type_: aclrtDevResLimitType, value: *mut u32) -> aclError;
            /// Switches the check for overflow on or off for later tasks.
            fn aclrtSetStreamOverflowSwitch(stream: aclrtStream, flag: u32) -> aclError;
            /// What was chosen there.
            fn aclrtGetStreamOverflowSwitch(stream: aclrtStream, flag: *mut u32) -> aclError;
            /// Stops the running task and drops the queued ones.
            fn aclrtStreamAbort(stream: aclrtStream) -> aclError;
            /// Sets an attribute.
            [newer] fn aclrtSetStreamAttribute(stream: aclrtStream, stmAttrType: aclrtStreamAttr, value: *mut aclrtStreamAttrValue) -> aclError;
            /// An attribute.
            [newer] fn aclrtGetStreamAttribute(stream: aclrtStream, stmAttrType: aclrtStreamAttr, value: *mut aclrtStreamAttrValue) -> aclError;
            /// Queues the start of a stream that belongs to a model instance.
            [newer] fn aclrtActiveStream(activeStream: aclrtStream, stream: aclrtStream) -> aclError;
            /// Queues a jump to one of two streams of a model instance.
            [newer] fn aclrtSwitchStream(leftValue: *mut c_void, cond: aclrtCondition, rightValue: *mut c_void, dataType: aclrtCompareDataType, trueStream: aclrtStream, falseStream: aclrtStream, stream: aclrtStream) -> aclError;
            /// Registers a function for creating and destroying streams.
            [newer] fn aclrtRegStreamStateCallback(regName: *const c_char, callback: aclrtStreamStateCallback, args: *mut c_void) -> aclError;
            /// Stops the running task and keeps the queued ones.
            [newer] fn aclrtStreamStop(stream: aclrtStream) -> aclError;
            /// Drops the tasks of a persistent stream.
            [newer] fn aclrtPersistentTaskClean(stream: aclrtStream) -> aclError;
            /// The number of the task that the calling thread submitted last.
            fn aclrtGetThreadLastTaskId(taskId: *mut u32) -> aclError;
            /// Queues a change of a queued task.
            [newer] fn aclrtTaskUpdateAsync(taskStream: aclrtStream, taskId: u32, info: *mut aclrtTaskUpdateInfo, execStream: aclrtStream) -> aclError;
            /// Makes a set of attributes for a stream.
            fn aclrtCreateStreamConfigHandle() -> *mut aclrtStreamConfigHandle;
            /// Releases it.
            fn aclrtDestroyStreamConfigHandle(handle: *mut aclrtStreamConfigHandle) -> aclError;
            /// Sets an attribute there.
            fn aclrtSetStreamConfigOpt(handle: *mut aclrtStreamConfigHandle, attr: aclrtStreamConfigAttr, attrValue: *const c_void, valueSize: usize) -> aclError;
            /// Creates a stream with such attributes.
            fn aclrtCreateStreamV2(stream: *mut aclrtStream, handle: *const aclrtStreamConfigHandle) -> aclError;
            /// Creates a place that streams of a model instance can jump to.
            [newer] fn aclrtCreateLabel(label: *mut aclrtLabel) -> aclError;
            /// Queues the place.
            [newer] fn aclrtSetLabel(label: aclrtLabel, stream: aclrtStream) -> aclError;
            /// Destroys it.
            [newer] fn aclrtDestroyLabel(label: aclrtLabel) -> aclError;
            /// Makes a list of such places.
            [newer] fn aclrtCreateLabelList(labels: *mut aclrtLabel, num: usize, labelList: *mut aclrtLabelList) -> aclError;
            /// Releases the list.
            [newer] fn aclrtDestroyLabelList(labelList: aclrtLabelList) -> aclError;
            /// Queues a jump to a place of the list, by a number in device memory.
            [newer] fn aclrtSwitchLabelByIndex(ptr: *mut c_void, maxValue: u32, labelList: aclrtLabelList, stream: aclrtStream) -> aclError;
        }
    };
}
stream_functions!(define);
