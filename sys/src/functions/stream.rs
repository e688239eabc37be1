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
            /// Creates a stream in the current context.
            fn aclrtCreateStream(stream: *mut aclrtStream) -> aclError;
            /// Creates a stream with a priority and flags.
            fn aclrtCreateStreamWithConfig(stream: *mut aclrtStream, priority: u32, flag: u32) -> aclError;
            /// Destroys a stream after its tasks.
            fn aclrtDestroyStream(stream: aclrtStream) -> aclError;
            /// Destroys a stream. The manual says that it does not wait for the stream's tasks; it was observed to wait.
            fn aclrtDestroyStreamForce(stream: aclrtStream) -> aclError;
            /// Blocks the host thread until the stream is idle.
            fn aclrtSynchronizeStream(stream: aclrtStream) -> aclError;
            /// Blocks the host thread until the stream is idle, for at most a number of milliseconds; -1 waits without a limit.
            fn aclrtSynchronizeStreamWithTimeout(stream: aclrtStream, timeout: i32) -> aclError;
            /// Returns whether all tasks of a stream are done.
            fn aclrtStreamQuery(stream: aclrtStream, status: *mut aclrtStreamStatus) -> aclError;
            /// Returns the numeric id of a stream.
            fn aclrtStreamGetId(stream: aclrtStream, streamId: *mut i32) -> aclError;
            /// Returns the priority of a stream.
            #[newer]
            fn aclrtStreamGetPriority(stream: aclrtStream, priority: *mut u32) -> aclError;
            /// Returns the flags that a stream was created with.
            #[newer]
            fn aclrtStreamGetFlags(stream: aclrtStream, flags: *mut u32) -> aclError;
            /// Chooses whether later tasks of a stream run after a failed task. The choice is made once per stream.
            fn aclrtSetStreamFailureMode(stream: aclrtStream, mode: u64) -> aclError;
            /// Returns how many more streams the device can have.
            #[newer]
            fn aclrtGetStreamAvailableNum(streamCount: *mut u32) -> aclError;
            /// Returns the cores that the work of a stream may use.
            #[newer]
            fn aclrtGetStreamResLimit(stream: aclrtStream, type_: aclrtDevResLimitType, value: *mut u32) -> aclError;
            /// Limits the cores that the work of a stream may use.
            #[newer]
            fn aclrtSetStreamResLimit(stream: aclrtStream, type_: aclrtDevResLimitType, value: u32) -> aclError;
            /// Removes the limit on the cores of a stream.
            #[newer]
            fn aclrtResetStreamResLimit(stream: aclrtStream) -> aclError;
            /// Makes the core limit of a stream that of the calling thread.
            #[newer]
            fn aclrtUseStreamResInCurrentThread(stream: aclrtStream) -> aclError;
            /// Ends the use of a stream's core limit in the calling thread.
            #[newer]
            fn aclrtUnuseStreamResInCurrentThread(stream: aclrtStream) -> aclError;
            /// Returns the cores that work of the calling thread may use.
            #[newer]
            fn aclrtGetResInCurrentThread(type_: aclrtDevResLimitType, value: *mut u32) -> aclError;
            /// Switches the check for overflow on or off for later tasks.
            fn aclrtSetStreamOverflowSwitch(stream: aclrtStream, flag: u32) -> aclError;
            /// Returns whether the overflow check of a stream is on.
            fn aclrtGetStreamOverflowSwitch(stream: aclrtStream, flag: *mut u32) -> aclError;
            /// Stops the running task and drops the queued ones.
            fn aclrtStreamAbort(stream: aclrtStream) -> aclError;
            /// Sets an attribute of a stream.
            #[newer]
            fn aclrtSetStreamAttribute(stream: aclrtStream, stmAttrType: aclrtStreamAttr, value: *mut aclrtStreamAttrValue) -> aclError;
            /// Returns an attribute of a stream.
            #[newer]
            fn aclrtGetStreamAttribute(stream: aclrtStream, stmAttrType: aclrtStreamAttr, value: *mut aclrtStreamAttrValue) -> aclError;
            /// Queues the start of a stream that belongs to a model instance.
            #[newer]
            fn aclrtActiveStream(activeStream: aclrtStream, stream: aclrtStream) -> aclError;
            /// Queues a jump to one of two streams of a model instance.
            #[newer]
            fn aclrtSwitchStream(leftValue: *mut c_void, cond: aclrtCondition, rightValue: *mut c_void, dataType: aclrtCompareDataType, trueStream: aclrtStream, falseStream: aclrtStream, stream: aclrtStream) -> aclError;
            /// Registers a function for creating and destroying streams.
            #[newer]
            fn aclrtRegStreamStateCallback(regName: *const c_char, callback: aclrtStreamStateCallback, args: *mut c_void) -> aclError;
            /// Stops the running task and keeps the queued ones.
            #[newer]
            fn aclrtStreamStop(stream: aclrtStream) -> aclError;
            /// Drops the tasks of a persistent stream.
            #[newer]
            fn aclrtPersistentTaskClean(stream: aclrtStream) -> aclError;
            /// Returns the number of the task that the calling thread submitted last.
            fn aclrtGetThreadLastTaskId(taskId: *mut u32) -> aclError;
            /// Queues a change of a queued task.
            #[newer]
            fn aclrtTaskUpdateAsync(taskStream: aclrtStream, taskId: u32, info: *mut aclrtTaskUpdateInfo, execStream: aclrtStream) -> aclError;
            /// Creates a set of attributes for a stream.
            fn aclrtCreateStreamConfigHandle() -> *mut aclrtStreamConfigHandle;
            /// Frees a set of attributes for a stream.
            fn aclrtDestroyStreamConfigHandle(handle: *mut aclrtStreamConfigHandle) -> aclError;
            /// Sets an attribute in a set of attributes for a stream.
            fn aclrtSetStreamConfigOpt(handle: *mut aclrtStreamConfigHandle, attr: aclrtStreamConfigAttr, attrValue: *const c_void, valueSize: usize) -> aclError;
            /// Creates a stream with a set of attributes.
            fn aclrtCreateStreamV2(stream: *mut aclrtStream, handle: *const aclrtStreamConfigHandle) -> aclError;
            /// Creates a label: a place in a model instance that its streams can jump to.
            #[newer]
            fn aclrtCreateLabel(label: *mut aclrtLabel) -> aclError;
            /// Queues a label: the stream's next task is the target of jumps to it.
            #[newer]
            fn aclrtSetLabel(label: aclrtLabel, stream: aclrtStream) -> aclError;
            /// Destroys a label.
            #[newer]
            fn aclrtDestroyLabel(label: aclrtLabel) -> aclError;
            /// Creates a list of labels.
            #[newer]
            fn aclrtCreateLabelList(labels: *mut aclrtLabel, num: usize, labelList: *mut aclrtLabelList) -> aclError;
            /// Frees a list of labels.
            #[newer]
            fn aclrtDestroyLabelList(labelList: aclrtLabelList) -> aclError;
            /// Queues a jump to a label of a list, by a number in device memory.
            #[newer]
            fn aclrtSwitchLabelByIndex(ptr: *mut c_void, maxValue: u32, labelList: aclrtLabelList, stream: aclrtStream) -> aclError;
        }
    };
}
stream_functions!(define);
