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
            fn aclrtStreamWaitEventWithTimeout(stream: aclrtStream, event: aclrtEvent, timeout: i32) -> aclError;
            /// A timeout in seconds for all later waits that have none of their own, 0 for none.
            fn aclrtSetOpWaitTimeout(timeout: u32) -> aclError;
        }
    };
}
event_functions!(define);
