//! Contexts (`acl/acl_rt.h`).

#[allow(unused_imports, reason = "an area may need types of any other")]
use crate::{structs::*, types::*};
#[allow(unused_imports, reason = "an area may need types of any other")]
use core::ffi::{c_char, c_void};

/// Calls `$callback!` with the context functions.
#[doc(hidden)]
#[macro_export]
macro_rules! context_functions {
    ($callback:path) => {
        $callback! {
            area "context", ContextTable;
            /// Creates a context on a device and makes it the calling thread's current one.
            fn aclrtCreateContext(context: *mut aclrtContext, deviceId: i32) -> aclError;
            /// Destroys a context that `aclrtCreateContext` made.
            fn aclrtDestroyContext(context: aclrtContext) -> aclError;
            /// Makes a context current on the calling thread.
            fn aclrtSetCurrentContext(context: aclrtContext) -> aclError;
            /// Returns the calling thread's current context.
            fn aclrtGetCurrentContext(context: *mut aclrtContext) -> aclError;
            /// Returns the handle of the current context's default stream.
            #[newer]
            fn aclrtCtxGetCurrentDefaultStream(stream: *mut aclrtStream) -> aclError;
            /// Returns whether a device's default context is active.
            #[newer]
            fn aclrtGetPrimaryCtxState(deviceId: i32, flags: *mut u32, active: *mut i32) -> aclError;
            /// Returns a parameter of the current context.
            fn aclrtCtxGetSysParamOpt(opt: aclSysParamOpt, value: *mut i64) -> aclError;
            /// Sets a parameter of the current context.
            fn aclrtCtxSetSysParamOpt(opt: aclSysParamOpt, value: i64) -> aclError;
            /// Returns the device address of the current context's overflow flag.
            #[newer]
            fn aclrtCtxGetFloatOverflowAddr(overflowAddr: *mut *mut c_void) -> aclError;
        }
    };
}
context_functions!(define);
