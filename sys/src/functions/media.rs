//! Memory of the media engine DVPP, both generations (`acl/ops/acl_dvpp.h`, `acl/dvpp/hi_dvpp.h`).

#[allow(unused_imports, reason = "an area may need types of any other")]
use crate::{structs::*, types::*};
#[allow(unused_imports, reason = "an area may need types of any other")]
use core::ffi::{c_char, c_void};

/// Calls `$callback!` with the media functions.
#[doc(hidden)]
#[macro_export]
macro_rules! media_functions {
    ($callback:path) => {
        $callback! {
            area "media", MediaTable;
            /// Allocates memory for the first generation of the media engine; 128-byte aligned start.
            fn acldvppMalloc(devPtr: *mut *mut c_void, size: usize) -> aclError;
            /// Frees memory of `acldvppMalloc`, and only that.
            fn acldvppFree(devPtr: *mut c_void) -> aclError;
            /// Allocates memory for the second generation of the media engine.
            fn hi_mpi_dvpp_malloc(dev_id: u32, dev_ptr: *mut *mut c_void, size: u64) -> i32;
            /// Frees memory of `hi_mpi_dvpp_malloc`, and only that.
            fn hi_mpi_dvpp_free(dev_ptr: *mut c_void) -> i32;
        }
    };
}
media_functions!(define);

#[cfg(feature = "loaded")]
pub(crate) use media_functions;
