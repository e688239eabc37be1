//! Events (`acl/acl_rt.h`).

#[allow(unused_imports, reason = "an area may need types of any other")]
use crate::{structs::*, types::*};
#[allow(unused_imports, reason = "an area may need types of any other")]
use core::ffi::{c_char, c_void};

/// Calls `$callback!` with the event functions.
#[doc(hidden)]
#[macro_export]
macro_rules! event_functions {
    ($callback:path) => {
        $callback! {
            area "event", EventTable;
            /// Creates an event with the default abilities.
            fn aclrtCreateEvent(event: *mut aclrtEvent) -> aclError;
            /// Creates an event with a union of flags.
            fn aclrtCreateEventWithFlag(event: *mut aclrtEvent, flag: u32) -> aclError;
            /// Creates an event that can be recorded again, with a union of flags.
            fn aclrtCreateEventExWithFlag(event: *mut aclrtEvent, flag: u32) -> aclError;
            /// Destroys an event; allowed before it completes.
            fn aclrtDestroyEvent(event: aclrtEvent) -> aclError;
            /// Queues a mark behind the tasks that are already in the stream.
            fn aclrtRecordEvent(event: aclrtEvent, stream: aclrtStream) -> aclError;
            /// Queues the clearing of an event.
            fn aclrtResetEvent(event: aclrtEvent, stream: aclrtStream) -> aclError;
            /// Whether an event is complete (deprecated).
            fn aclrtQueryEvent(event: aclrtEvent, status: *mut aclrtEventStatus) -> aclError;
            /// Whether the recorded tasks are over.
            fn aclrtQueryEventStatus(event: aclrtEvent, status: *mut aclrtEventRecordedStatus) -> aclError;
            /// Whether the waits on the event are over.
            fn aclrtQueryEventWaitStatus(event: aclrtEvent, status: *mut aclrtEventWaitStatus) -> aclError;
            /// Blocks the calling thread until the event completes.
            fn aclrtSynchronizeEvent(event: aclrtEvent) -> aclError;
            /// The same with a timeout in milliseconds, -1 for none.
            fn aclrtSynchronizeEventWithTimeout(event: aclrtEvent, timeout: i32) -> aclError;
            /// Milliseconds between two completed events.
            fn aclrtEventElapsedTime(ms: *mut f32, startEvent: aclrtEvent, endEvent: aclrtEvent) -> aclError;
            /// Device time of completion in microseconds.
            fn aclrtEventGetTimestamp(event: aclrtEvent, timestamp: *mut u64) -> aclError;
            /// Makes the stream's later tasks wait for the event.
            fn aclrtStreamWaitEvent(stream: aclrtStream, event: aclrtEvent) -> aclError;
            /// The same with a timeout in seconds, 0 for none.
            [newer] fn aclrtStreamWaitEventWithTimeout(stream: aclrtStream, event: aclrtEvent, timeout: i32) -> aclError;
            /// A timeout in seconds for all later waits that have none of their own, 0 for none.
            fn aclrtSetOpWaitTimeout(timeout: u32) -> aclError;
            /// The same with a flag, for events that link a captured graph with the outside.
            [newer] fn aclrtRecordEventWithFlag(event: aclrtEvent, stream: aclrtStream, flag: u32) -> aclError;
            /// The same with a timeout in seconds and a flag, for such events.
            [newer] fn aclrtStreamWaitEventWithFlag(stream: aclrtStream, event: aclrtEvent, timeout: u32, flag: u32) -> aclError;
            /// Numeric id.
            [newer] fn aclrtGetEventId(event: aclrtEvent, eventId: *mut u32) -> aclError;
            /// Events left on the device.
            [newer] fn aclrtGetEventAvailNum(eventCount: *mut u32) -> aclError;
            /// Exports an event to other processes.
            [newer] fn aclrtIpcGetEventHandle(event: aclrtEvent, handle: *mut aclrtIpcEventHandle) -> aclError;
            /// Imports such an event.
            [newer] fn aclrtIpcOpenEventHandle(handle: aclrtIpcEventHandle, event: *mut aclrtEvent) -> aclError;
            /// Creates a notify: a signal from one stream to one other, across devices too.
            [newer] fn aclrtCreateNotify(notify: *mut aclrtNotify, flag: u64) -> aclError;
            /// Destroys a notify.
            [newer] fn aclrtDestroyNotify(notify: aclrtNotify) -> aclError;
            /// Queues the signal.
            [newer] fn aclrtRecordNotify(notify: aclrtNotify, stream: aclrtStream) -> aclError;
            /// Makes the stream's later tasks wait for the signal, which it consumes; timeout in seconds, 0 for none.
            [newer] fn aclrtWaitAndResetNotify(notify: aclrtNotify, stream: aclrtStream, timeout: u32) -> aclError;
            /// Numeric id.
            [newer] fn aclrtGetNotifyId(notify: aclrtNotify, notifyId: *mut u32) -> aclError;
            /// Clears several notifies.
            [newer] fn aclrtNotifyBatchReset(notifies: *mut aclrtNotify, num: usize) -> aclError;
            /// Exports a notify to other processes.
            [newer] fn aclrtNotifyGetExportKey(notify: aclrtNotify, key: *mut c_char, len: usize, flags: u64) -> aclError;
            /// Imports such a notify.
            [newer] fn aclrtNotifyImportByKey(notify: *mut aclrtNotify, key: *const c_char, flags: u64) -> aclError;
            /// Names the processes that may import it.
            [newer] fn aclrtNotifySetImportPid(notify: aclrtNotify, pid: *mut i32, num: usize) -> aclError;
            /// The same across servers.
            [newer] fn aclrtNotifySetImportPidInterServer(notify: aclrtNotify, serverPids: *mut aclrtServerPid, num: usize) -> aclError;
            /// Creates a notify that counts.
            [newer] fn aclrtCntNotifyCreate(cntNotify: *mut aclrtCntNotify, flag: u64) -> aclError;
            /// Destroys it.
            [newer] fn aclrtCntNotifyDestroy(cntNotify: aclrtCntNotify) -> aclError;
            /// Queues a change of its counter.
            [newer] fn aclrtCntNotifyRecord(cntNotify: aclrtCntNotify, stream: aclrtStream, info: *mut aclrtCntNotifyRecordInfo) -> aclError;
            /// Makes the stream's later tasks wait for a value of its counter.
            [newer] fn aclrtCntNotifyWaitWithTimeout(cntNotify: aclrtCntNotify, stream: aclrtStream, info: *mut aclrtCntNotifyWaitInfo) -> aclError;
            /// Queues the clearing of its counter.
            [newer] fn aclrtCntNotifyReset(cntNotify: aclrtCntNotify, stream: aclrtStream) -> aclError;
            /// Numeric id.
            [newer] fn aclrtCntNotifyGetId(cntNotify: aclrtCntNotify, notifyId: *mut u32) -> aclError;
        }
    };
}
event_functions!(define);
