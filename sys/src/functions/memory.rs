//! Memory, copies and fills (`acl/acl_rt.h`).

#[allow(unused_imports, reason = "an area may need types of any other")]
use crate::{structs::*, types::*};
#[allow(unused_imports, reason = "an area may need types of any other")]
use core::ffi::{c_char, c_void};

/// Calls `$callback!` with the memory functions.
#[doc(hidden)]
#[macro_export]
macro_rules! memory_functions {
    ($callback:path) => {
        $callback! {
            area "memory", MemoryTable;
            /// Allocates device memory: 64-byte aligned start, size rounded up to 32 plus 32.
            fn aclrtMalloc(devPtr: *mut *mut c_void, size: usize, policy: aclrtMemMallocPolicy) -> aclError;
            /// The same without the extra 32 bytes.
            fn aclrtMallocAlign32(devPtr: *mut *mut c_void, size: usize, policy: aclrtMemMallocPolicy) -> aclError;
            /// Allocates device memory that caches may hold.
            fn aclrtMallocCached(devPtr: *mut *mut c_void, size: usize, policy: aclrtMemMallocPolicy) -> aclError;
            /// Allocates device memory with attributes; a policy may be or-ed with a kind of memory. The size is rounded up to 32.
            fn aclrtMallocWithCfg(devPtr: *mut *mut c_void, size: usize, policy: aclrtMemMallocPolicy, cfg: *mut aclrtMallocConfig) -> aclError;
            /// Frees device memory at once; does not wait for queued work.
            fn aclrtFree(devPtr: *mut c_void) -> aclError;
            /// Synchronises the current context, then frees device memory.
            fn aclrtFreeWithDevSync(devPtr: *mut c_void) -> aclError;
            /// Allocates page-locked host memory.
            fn aclrtMallocHost(hostPtr: *mut *mut c_void, size: usize) -> aclError;
            /// Allocates page-locked host memory with attributes.
            fn aclrtMallocHostWithCfg(ptr: *mut *mut c_void, size: u64, cfg: *mut aclrtMallocConfig) -> aclError;
            /// Frees page-locked host memory at once.
            fn aclrtFreeHost(hostPtr: *mut c_void) -> aclError;
            /// Synchronises the current context, then frees page-locked host memory.
            fn aclrtFreeHostWithDevSync(hostPtr: *mut c_void) -> aclError;
            /// Copies and returns when the copy is done.
            fn aclrtMemcpy(dst: *mut c_void, destMax: usize, src: *const c_void, count: usize, kind: aclrtMemcpyKind) -> aclError;
            /// Queues a copy on a stream.
            fn aclrtMemcpyAsync(dst: *mut c_void, destMax: usize, src: *const c_void, count: usize, kind: aclrtMemcpyKind, stream: aclrtStream) -> aclError;
            /// Fills host or device memory and returns when that is done.
            fn aclrtMemset(devPtr: *mut c_void, maxCount: usize, value: i32, count: usize) -> aclError;
            /// Queues a fill on a stream.
            fn aclrtMemsetAsync(devPtr: *mut c_void, maxCount: usize, value: i32, count: usize, stream: aclrtStream) -> aclError;
            /// Fills memory with 32-bit words and returns when that is done.
            fn aclrtMemsetD32(ptr: *mut c_void, memSize: usize, value: u32, N: usize) -> aclError;
            /// Queues such a fill of device memory; host memory is filled in the call.
            fn aclrtMemsetD32Async(ptr: *mut c_void, memSize: usize, value: u32, N: usize, stream: aclrtStream) -> aclError;
            /// Copies a matrix with pitches and returns when the copy is done.
            fn aclrtMemcpy2d(dst: *mut c_void, dpitch: usize, src: *const c_void, spitch: usize, width: usize, height: usize, kind: aclrtMemcpyKind) -> aclError;
            /// Queues a copy of a matrix with pitches.
            fn aclrtMemcpy2dAsync(dst: *mut c_void, dpitch: usize, src: *const c_void, spitch: usize, width: usize, height: usize, kind: aclrtMemcpyKind, stream: aclrtStream) -> aclError;
            /// Free and total bytes of a kind of memory of the current device.
            fn aclrtGetMemInfo(attr: aclrtMemAttr, free: *mut usize, total: *mut usize) -> aclError;
            /// Where an address lies.
            fn aclrtPointerGetAttributes(ptr: *const c_void, attributes: *mut aclrtPtrAttributes) -> aclError;
            /// Prepares the access of a peer device to device memory.
            fn aclrtMemP2PMap(devPtr: *mut c_void, size: usize, dstDevId: i32, flags: u64) -> aclError;
            /// Reserves a range of device addresses.
            fn aclrtReserveMemAddress(virPtr: *mut *mut c_void, size: usize, alignment: usize, expectPtr: *mut c_void, flags: u64) -> aclError;
            /// Releases a reserved range.
            fn aclrtReleaseMemAddress(virPtr: *mut c_void) -> aclError;
            /// Allocates physical memory without an address.
            fn aclrtMallocPhysical(handle: *mut aclrtDrvMemHandle, size: usize, prop: *const aclrtPhysicalMemProp, flags: u64) -> aclError;
            /// Releases physical memory once nothing maps it.
            fn aclrtFreePhysical(handle: aclrtDrvMemHandle) -> aclError;
            /// Maps physical memory into a reserved range.
            fn aclrtMapMem(virPtr: *mut c_void, size: usize, offset: usize, handle: aclrtDrvMemHandle, flags: u64) -> aclError;
            /// Unmaps a range.
            fn aclrtUnmapMem(virPtr: *mut c_void) -> aclError;
        }
    };
}
memory_functions!(define);
