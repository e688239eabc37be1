//! Process, error texts, data types (`acl/acl.h`, `acl/acl_base_rt.h`, `acl/acl_rt.h`).

#[allow(unused_imports, reason = "an area may need types of any other")]
use crate::{structs::*, types::*};
#[allow(unused_imports, reason = "an area may need types of any other")]
use core::ffi::{c_char, c_void};

/// Calls `$callback!` with the runtime functions.
#[doc(hidden)]
#[macro_export]
macro_rules! runtime_functions {
    ($callback:path) => {
        $callback! {
            area "runtime", RuntimeTable;
            /// Initialises ACL for the process; the JSON file is optional.
            fn aclInit(configPath: *const c_char) -> aclError;
            /// Finalises ACL at once, however often it was initialised.
            fn aclFinalize() -> aclError;
            /// Drops one initialisation; the last one finalises. Gives the rest.
            fn aclFinalizeReference(refCount: *mut u64) -> aclError;
            /// The version of ACL: major, minor, patch (1.17.0 in CANN 9).
            fn aclrtGetVersion(majorVersion: *mut i32, minorVersion: *mut i32, patchVersion: *mut i32) -> aclError;
            /// Whether the program runs on a host or on the device itself.
            fn aclrtGetRunMode(runMode: *mut aclrtRunMode) -> aclError;
            /// The calling thread's latest error text, or null; reading clears it.
            fn aclGetRecentErrMsg() -> *const c_char;
            /// The calling thread's last error code, kept.
            fn aclrtPeekAtLastError(level: aclrtLastErrLevel) -> aclError;
            /// The calling thread's last error code, cleared by reading.
            fn aclrtGetLastError(level: aclrtLastErrLevel) -> aclError;
            /// Bytes of one element of a data type.
            fn aclDataTypeSize(dataType: aclDataType) -> usize;
            /// A half-precision number as `f32`.
            fn aclFloat16ToFloat(value: aclFloat16) -> f32;
            /// A number rounded to half precision.
            fn aclFloatToFloat16(value: f32) -> aclFloat16;
            /// Pairs an address with a size; copies and owns nothing.
            fn aclCreateDataBuffer(data: *mut c_void, size: usize) -> *mut aclDataBuffer;
            /// Releases the pair, not the memory.
            fn aclDestroyDataBuffer(dataBuffer: *const aclDataBuffer) -> aclError;
            /// Points the pair elsewhere.
            fn aclUpdateDataBuffer(dataBuffer: *mut aclDataBuffer, data: *mut c_void, size: usize) -> aclError;
            /// The address of the pair.
            fn aclGetDataBufferAddr(dataBuffer: *const aclDataBuffer) -> *mut c_void;
            /// Size, cut to 32 bits.
            fn aclGetDataBufferSize(dataBuffer: *const aclDataBuffer) -> u32;
            /// The size of the pair.
            fn aclGetDataBufferSizeV2(dataBuffer: *const aclDataBuffer) -> usize;
        }
    };
}
runtime_functions!(define);
