//! Pools, from which streams allocate in their own order. The attributes have the numbers of CUDA.

use std::ffi::c_void;

use ascendcl_sys::{
    self as sys, aclError, aclrtMemPool, aclrtMemPoolAttr, aclrtMemPoolProps, aclrtStream,
};

use crate::driver::PoolProperties;
use crate::memory::{address, bound};
use crate::runtime::put;
use crate::state::fail;
use crate::stream::on;

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtMemPoolCreate(
    memPool: *mut aclrtMemPool,
    poolProps: *const aclrtMemPoolProps,
) -> aclError {
    let call = "aclrtMemPoolCreate";
    // SAFETY: the caller's contract: null or valid for a read.
    let Some(asked) = (unsafe { poolProps.as_ref() }) else {
        return fail(
            sys::ACL_ERROR_INVALID_PARAM,
            format!("{call} failed: the properties are null"),
        );
    };
    let properties = PoolProperties::of_device(asked.location.id.cast_signed(), asked.maxSize);
    let mut pool = std::ptr::null_mut();
    // SAFETY: the output is valid for a write, and the properties for a read.
    let code = bound(call, |driver| unsafe {
        (driver.pool_create)(&raw mut pool, &raw const properties)
    });
    if code != sys::ACL_SUCCESS {
        return code;
    }
    // SAFETY: the caller's contract.
    unsafe { put(call, memPool, pool) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtMemPoolDestroy(memPool: aclrtMemPool) -> aclError {
    // SAFETY: the caller's contract: a live pool of this library.
    bound("aclrtMemPoolDestroy", |driver| unsafe {
        (driver.pool_destroy)(memPool)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtMemPoolSetAttr(
    memPool: aclrtMemPool,
    attr: aclrtMemPoolAttr,
    value: *mut c_void,
) -> aclError {
    // SAFETY: the caller's contract: a live pool, and a value of the type of the attribute.
    bound("aclrtMemPoolSetAttr", |driver| unsafe {
        (driver.pool_set)(memPool, attr.0, value)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtMemPoolGetAttr(
    memPool: aclrtMemPool,
    attr: aclrtMemPoolAttr,
    value: *mut c_void,
) -> aclError {
    // SAFETY: as above.
    bound("aclrtMemPoolGetAttr", |driver| unsafe {
        (driver.pool_get)(memPool, attr.0, value)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtMemPoolTrimTo(
    memPool: aclrtMemPool,
    minBytesToKeep: usize,
) -> aclError {
    // SAFETY: the caller's contract: a live pool.
    bound("aclrtMemPoolTrimTo", |driver| unsafe {
        (driver.pool_trim)(memPool, minBytesToKeep)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtMemPoolMallocAsync(
    ptr: *mut *mut c_void,
    size: usize,
    memPool: aclrtMemPool,
    stream: aclrtStream,
) -> aclError {
    let call = "aclrtMemPoolMallocAsync";
    let mut memory = 0;
    // SAFETY: the caller's contract: a live pool and a live stream. The output is valid for a write.
    let code = unsafe {
        on(call, stream, |driver, stream| {
            (driver.pool_allocate)(&raw mut memory, size, memPool, stream)
        })
    };
    if code != sys::ACL_SUCCESS {
        return code;
    }
    // SAFETY: the caller's contract.
    unsafe {
        put(
            call,
            ptr,
            std::ptr::with_exposed_provenance_mut(memory as usize),
        )
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtMemPoolFreeAsync(ptr: *mut c_void, stream: aclrtStream) -> aclError {
    // SAFETY: the caller's contract: memory of a pool, and a live stream.
    unsafe {
        on("aclrtMemPoolFreeAsync", stream, |driver, stream| {
            (driver.pool_free)(address(ptr), stream)
        })
    }
}
