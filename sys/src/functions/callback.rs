//! Host functions and callbacks of a stream (`acl/acl_rt.h`).

#[allow(unused_imports, reason = "an area may need types of any other")]
use crate::{structs::*, types::*};
#[allow(unused_imports, reason = "an area may need types of any other")]
use core::ffi::{c_char, c_void};

/// Calls `$callback!` with the callback functions.
#[doc(hidden)]
#[macro_export]
macro_rules! callback_functions {
    ($callback:path) => {
        $callback! {
            area "callback", CallbackTable;
            /// Names the thread that runs a stream's callbacks.
            fn aclrtSubscribeReport(threadId: u64, stream: aclrtStream) -> aclError;
            /// Removes the thread that `aclrtSubscribeReport` named for a stream's callbacks.
            fn aclrtUnSubscribeReport(threadId: u64, stream: aclrtStream) -> aclError;
            /// Runs pending callbacks on the calling thread; timeout in milliseconds.
            fn aclrtProcessReport(timeout: i32) -> aclError;
            /// Queues a function for the subscribed thread.
            fn aclrtLaunchCallback(fn_: aclrtCallback, userData: *mut c_void, blockType: aclrtCallbackBlockType, stream: aclrtStream) -> aclError;
            /// Queues a function for a thread of the runtime; the stream waits for it.
            #[newer]
            fn aclrtLaunchHostFunc(stream: aclrtStream, fn_: aclrtHostFunc, args: *mut c_void) -> aclError;
            /// Names the thread that runs a stream's host functions.
            fn aclrtSubscribeHostFunc(hostFuncThreadId: u64, exeStream: aclrtStream) -> aclError;
            /// Runs pending host functions on the calling thread; timeout in milliseconds.
            fn aclrtProcessHostFunc(timeout: i32) -> aclError;
            /// Removes the thread that `aclrtSubscribeHostFunc` named for a stream's host functions.
            fn aclrtUnSubscribeHostFunc(hostFuncThreadId: u64, exeStream: aclrtStream) -> aclError;
        }
    };
}
callback_functions!(define);
