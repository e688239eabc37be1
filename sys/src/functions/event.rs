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
            /// Returns whether an event is complete. Deprecated: `aclrtQueryEventStatus` replaces it.
            fn aclrtQueryEvent(event: aclrtEvent, status: *mut aclrtEventStatus) -> aclError;
            /// Returns whether the recorded tasks are over.
            fn aclrtQueryEventStatus(event: aclrtEvent, status: *mut aclrtEventRecordedStatus) -> aclError;
            /// Returns whether the waits on the event are over.
            fn aclrtQueryEventWaitStatus(event: aclrtEvent, status: *mut aclrtEventWaitStatus) -> aclError;
            /// Blocks the calling thread until the event completes.
            fn aclrtSynchronizeEvent(event: aclrtEvent) -> aclError;
            /// Blocks the calling thread until the event completes, for at most a number of milliseconds; -1 waits without a limit.
            fn aclrtSynchronizeEventWithTimeout(event: aclrtEvent, timeout: i32) -> aclError;
            /// Returns the milliseconds between two completed events.
            fn aclrtEventElapsedTime(ms: *mut f32, startEvent: aclrtEvent, endEvent: aclrtEvent) -> aclError;
            /// Returns the device time of completion in microseconds.
            fn aclrtEventGetTimestamp(event: aclrtEvent, timestamp: *mut u64) -> aclError;
            /// Makes the stream's later tasks wait for the event.
            fn aclrtStreamWaitEvent(stream: aclrtStream, event: aclrtEvent) -> aclError;
            /// Makes the stream's later tasks wait for the event, for at most a number of seconds; 0 waits without a limit.
            #[newer]
            fn aclrtStreamWaitEventWithTimeout(stream: aclrtStream, event: aclrtEvent, timeout: i32) -> aclError;
            /// Sets a timeout in seconds for all later waits that have none of their own; 0 for none.
            fn aclrtSetOpWaitTimeout(timeout: u32) -> aclError;
            /// Records an event with a flag. `ACL_EVENT_RECORD_EXTERNAL` is for events that link a captured graph with the outside.
            #[newer]
            fn aclrtRecordEventWithFlag(event: aclrtEvent, stream: aclrtStream, flag: u32) -> aclError;
            /// Makes the stream's later tasks wait for the event, with a timeout in seconds and a flag. `ACL_EVENT_WAIT_EXTERNAL` is for events that link a captured graph with the outside.
            #[newer]
            fn aclrtStreamWaitEventWithFlag(stream: aclrtStream, event: aclrtEvent, timeout: u32, flag: u32) -> aclError;
            /// Returns the numeric id of an event.
            #[newer]
            fn aclrtGetEventId(event: aclrtEvent, eventId: *mut u32) -> aclError;
            /// Returns how many more events the device can have.
            #[newer]
            fn aclrtGetEventAvailNum(eventCount: *mut u32) -> aclError;
            /// Exports an event to other processes.
            #[newer]
            fn aclrtIpcGetEventHandle(event: aclrtEvent, handle: *mut aclrtIpcEventHandle) -> aclError;
            /// Imports an event that another process exported.
            #[newer]
            fn aclrtIpcOpenEventHandle(handle: aclrtIpcEventHandle, event: *mut aclrtEvent) -> aclError;
            /// Creates a notify: a signal from one stream to one other, across devices too.
            #[newer]
            fn aclrtCreateNotify(notify: *mut aclrtNotify, flag: u64) -> aclError;
            /// Destroys a notify.
            #[newer]
            fn aclrtDestroyNotify(notify: aclrtNotify) -> aclError;
            /// Queues the signal of a notify.
            #[newer]
            fn aclrtRecordNotify(notify: aclrtNotify, stream: aclrtStream) -> aclError;
            /// Makes the stream's later tasks wait for the signal of a notify and consumes the signal; timeout in seconds, 0 for none.
            #[newer]
            fn aclrtWaitAndResetNotify(notify: aclrtNotify, stream: aclrtStream, timeout: u32) -> aclError;
            /// Returns the numeric id of a notify.
            #[newer]
            fn aclrtGetNotifyId(notify: aclrtNotify, notifyId: *mut u32) -> aclError;
            /// Clears several notifies.
            #[newer]
            fn aclrtNotifyBatchReset(notifies: *mut aclrtNotify, num: usize) -> aclError;
            /// Exports a notify to other processes.
            #[newer]
            fn aclrtNotifyGetExportKey(notify: aclrtNotify, key: *mut c_char, len: usize, flags: u64) -> aclError;
            /// Imports a notify that another process exported.
            #[newer]
            fn aclrtNotifyImportByKey(notify: *mut aclrtNotify, key: *const c_char, flags: u64) -> aclError;
            /// Names the processes that may import a notify.
            #[newer]
            fn aclrtNotifySetImportPid(notify: aclrtNotify, pid: *mut i32, num: usize) -> aclError;
            /// Names the processes of other servers that may import a notify.
            #[newer]
            fn aclrtNotifySetImportPidInterServer(notify: aclrtNotify, serverPids: *mut aclrtServerPid, num: usize) -> aclError;
            /// Creates a counting notify: a signal with a counter.
            #[newer]
            fn aclrtCntNotifyCreate(cntNotify: *mut aclrtCntNotify, flag: u64) -> aclError;
            /// Destroys a counting notify.
            #[newer]
            fn aclrtCntNotifyDestroy(cntNotify: aclrtCntNotify) -> aclError;
            /// Queues a change of the counter of a counting notify.
            #[newer]
            fn aclrtCntNotifyRecord(cntNotify: aclrtCntNotify, stream: aclrtStream, info: *mut aclrtCntNotifyRecordInfo) -> aclError;
            /// Makes the stream's later tasks wait until the counter of a counting notify has a value.
            #[newer]
            fn aclrtCntNotifyWaitWithTimeout(cntNotify: aclrtCntNotify, stream: aclrtStream, info: *mut aclrtCntNotifyWaitInfo) -> aclError;
            /// Queues the clearing of the counter of a counting notify.
            #[newer]
            fn aclrtCntNotifyReset(cntNotify: aclrtCntNotify, stream: aclrtStream) -> aclError;
            /// Returns the numeric id of a counting notify.
            #[newer]
            fn aclrtCntNotifyGetId(cntNotify: aclrtCntNotify, notifyId: *mut u32) -> aclError;
        }
    };
}
event_functions!(define);
