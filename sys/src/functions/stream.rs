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
            fn aclrtStreamGetPriority(stream: aclrtStream, priority: *mut u32) -> aclError;
            /// Creation flags.
            fn aclrtStreamGetFlags(stream: aclrtStream, flags: *mut u32) -> aclError;
            /// Continue / stop on task failure (once per stream).
            fn aclrtSetStreamFailureMode(stream: aclrtStream, mode: u64) -> aclError;
            /// Streams left on the device.
            fn aclrtGetStreamAvailableNum(streamCount: *mut u32) -> aclError;
        }
    };
}
stream_functions!(define);
