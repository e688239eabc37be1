//! Device memory, page-locked and registered host memory, copies and fills.

use std::ffi::c_void;

use ascendcl_sys::{
    self as sys, aclError, aclrtHostRegisterType, aclrtMemAttr, aclrtMemMallocPolicy,
    aclrtMemcpyKind, aclrtStream,
};

use crate::driver::{Driver, found, status};
use crate::runtime::put;
use crate::state::{DEVICE_MEMORY, HOST_MEMORY, current, fail, give_block, take_block};
use crate::stream::on;

/// Calls the driver on a thread with a context.
pub(crate) fn bound(call: &str, run: impl FnOnce(&Driver) -> i32) -> aclError {
    match current(call).and_then(|_| found()) {
        Ok(driver) => status(driver, call, run(driver)),
        Err(code) => code,
    }
}

pub(crate) fn address<T>(pointer: *const T) -> u64 {
    pointer.expose_provenance() as u64
}

/// Allocates a block with `make`, and writes its address.
///
/// # Safety
///
/// `to` is null or valid for a write.
unsafe fn allocate(
    call: &str,
    host: bool,
    to: *mut *mut c_void,
    size: usize,
    make: impl FnOnce(&Driver, usize) -> Result<usize, i32>,
) -> aclError {
    if size == 0 {
        return fail(
            sys::ACL_ERROR_INVALID_PARAM,
            format!("{call} failed: size is 0"),
        );
    }
    let of = if host { &HOST_MEMORY } else { &DEVICE_MEMORY };
    let mut block = 0;
    let code = bound(call, |driver| {
        match take_block(of, size, |size| make(driver, size)) {
            Ok(taken) => {
                block = taken;
                0
            }
            Err(code) => code,
        }
    });
    if code != sys::ACL_SUCCESS {
        return code;
    }
    // SAFETY: the caller's contract.
    unsafe { put(call, to, std::ptr::with_exposed_provenance_mut(block)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtMalloc(
    devPtr: *mut *mut c_void,
    size: usize,
    _: aclrtMemMallocPolicy,
) -> aclError {
    // SAFETY: the caller's contract.
    unsafe {
        allocate("aclrtMalloc", false, devPtr, size, |driver, size| {
            let mut made = 0;
            match (driver.memory_allocate)(&raw mut made, size) {
                0 => Ok(made as usize),
                code => Err(code),
            }
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtMallocHost(hostPtr: *mut *mut c_void, size: usize) -> aclError {
    // SAFETY: the caller's contract.
    unsafe {
        allocate("aclrtMallocHost", true, hostPtr, size, |driver, size| {
            let mut made = std::ptr::null_mut();
            match (driver.host_allocate)(&raw mut made, size, 1) {
                0 => Ok(made.expose_provenance()),
                code => Err(code),
            }
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtFree(devPtr: *mut c_void) -> aclError {
    if give_block(&DEVICE_MEMORY, devPtr.addr()) || give_block(&HOST_MEMORY, devPtr.addr()) {
        return sys::ACL_SUCCESS;
    }
    // Memory of a pool, or none: the driver knows.
    // SAFETY: the caller's contract.
    bound("aclrtFree", |driver| unsafe {
        (driver.memory_free)(address(devPtr))
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtFreeHost(hostPtr: *mut c_void) -> aclError {
    if give_block(&HOST_MEMORY, hostPtr.addr()) {
        return sys::ACL_SUCCESS;
    }
    fail(
        sys::ACL_ERROR_RT_PARAM_INVALID,
        format!("aclrtFreeHost failed: {hostPtr:p} is no page-locked memory"),
    )
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtGetMemInfo(
    _: aclrtMemAttr,
    free: *mut usize,
    total: *mut usize,
) -> aclError {
    // SAFETY: the caller's contract.
    bound("aclrtGetMemInfo", |driver| unsafe {
        (driver.memory_info)(free, total)
    })
}

/// Refuses a copy that is larger than its target.
fn fits(call: &str, count: usize, most: usize) -> Result<(), aclError> {
    if count <= most {
        return Ok(());
    }
    Err(fail(
        sys::ACL_ERROR_RT_PARAM_INVALID,
        format!("{call} failed: {count} bytes do not fit into {most}"),
    ))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtMemcpy(
    dst: *mut c_void,
    destMax: usize,
    src: *const c_void,
    count: usize,
    _: aclrtMemcpyKind,
) -> aclError {
    if let Err(code) = fits("aclrtMemcpy", count, destMax) {
        return code;
    }
    // SAFETY: the caller's contract.
    let code = bound("aclrtMemcpy", |driver| unsafe {
        (driver.copy)(address(dst), address(src), count)
    });
    if code != sys::ACL_SUCCESS {
        return code;
    }
    // A copy within a device, or from pageable memory, may still run when the driver returns.
    // SAFETY: a wait for the default stream of CUDA, which has the copy.
    bound("aclrtMemcpy", |driver| unsafe {
        (driver.stream_synchronize)(std::ptr::null_mut())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtMemcpyAsync(
    dst: *mut c_void,
    destMax: usize,
    src: *const c_void,
    count: usize,
    _: aclrtMemcpyKind,
    stream: aclrtStream,
) -> aclError {
    if let Err(code) = fits("aclrtMemcpyAsync", count, destMax) {
        return code;
    }
    // SAFETY: the caller's contract.
    unsafe {
        on("aclrtMemcpyAsync", stream, |driver, stream| {
            (driver.copy_async)(address(dst), address(src), count, stream)
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtMemsetAsync(
    devPtr: *mut c_void,
    maxCount: usize,
    value: i32,
    count: usize,
    stream: aclrtStream,
) -> aclError {
    if let Err(code) = fits("aclrtMemsetAsync", count, maxCount) {
        return code;
    }
    // CAST: a fill takes the lowest byte.
    // SAFETY: the caller's contract.
    unsafe {
        on("aclrtMemsetAsync", stream, |driver, stream| {
            (driver.fill_async)(address(devPtr), value as u8, count, stream)
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtMemset(
    devPtr: *mut c_void,
    maxCount: usize,
    value: i32,
    count: usize,
) -> aclError {
    // SAFETY: the caller's contract; null stands for the default stream.
    let code = unsafe { aclrtMemsetAsync(devPtr, maxCount, value, count, std::ptr::null_mut()) };
    if code != sys::ACL_SUCCESS {
        return code;
    }
    // SAFETY: as above.
    unsafe {
        on("aclrtMemset", std::ptr::null_mut(), |driver, stream| {
            (driver.stream_synchronize)(stream)
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtHostRegisterV2(ptr: *mut c_void, size: u64, _: u32) -> aclError {
    // SAFETY: the caller's contract.
    bound("aclrtHostRegisterV2", |driver| unsafe {
        (driver.host_register)(ptr, size as usize, 3)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtHostRegister(
    ptr: *mut c_void,
    size: u64,
    _: aclrtHostRegisterType,
    devPtr: *mut *mut c_void,
) -> aclError {
    // SAFETY: the caller's contract.
    let code = unsafe { aclrtHostRegisterV2(ptr, size, 0) };
    if code != sys::ACL_SUCCESS {
        return code;
    }
    let mut seen = 0;
    // SAFETY: the memory is registered, and `seen` is valid for a write.
    let code = bound("aclrtHostRegister", |driver| unsafe {
        (driver.host_device_pointer)(&raw mut seen, ptr, 0)
    });
    if code != sys::ACL_SUCCESS {
        return code;
    }
    // SAFETY: the caller's contract.
    unsafe {
        put(
            "aclrtHostRegister",
            devPtr,
            std::ptr::with_exposed_provenance_mut(seen as usize),
        )
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aclrtHostUnregister(ptr: *mut c_void) -> aclError {
    // SAFETY: the caller's contract.
    bound("aclrtHostUnregister", |driver| unsafe {
        (driver.host_unregister)(ptr)
    })
}
