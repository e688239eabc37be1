//! The functions of the CUDA driver, found when the first call needs them.

use std::env;
use std::error::Error as _;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::OnceLock;

use ascendcl_sys as sys;
use libloading::Library;

use crate::state::fail;

/// A handle of the driver: a context, a stream or an event.
pub type Handle = *mut c_void;
/// An address of device memory.
pub type Address = u64;

/// The variable with the path of another library that has the driver's functions: the stand-in, for tests.
pub const LIBRARY: &str = "ASCENDCL_CUDA_DRIVER";

/// The result of a call that has not ended yet.
pub const NOT_READY: c_int = 600;
const OUT_OF_MEMORY: c_int = 2;

/// The properties of a pool (`CUmemPoolProps`).
#[repr(C)]
pub struct PoolProperties {
    allocation: c_uint,
    handles: c_uint,
    place: c_uint,
    device: c_int,
    security: *const c_void,
    most: usize,
    usage: u16,
    reserved: [u8; 54],
}

impl PoolProperties {
    /// Pinned memory of a device, without handles for other processes: at most `most` bytes, or what there is with 0.
    pub(crate) fn of_device(device: c_int, most: usize) -> PoolProperties {
        PoolProperties {
            allocation: 1,
            handles: 0,
            place: 1,
            device,
            security: std::ptr::null(),
            most,
            usage: 0,
            reserved: [0; 54],
        }
    }
}

macro_rules! driver {
    ($( $field:ident = $symbol:literal($($argument:ty),*); )*) => {
        /// The functions, each under a short name.
        pub struct Driver { $(pub $field: unsafe extern "C" fn($($argument),*) -> c_int,)* }

        fn load() -> Result<Driver, String> {
            let path = env::var_os(LIBRARY).unwrap_or_else(|| "libcuda.so.1".into());
            // SAFETY: the library of the driver, whose initialisers a program that wants a card runs.
            let library = unsafe { Library::new(path) }.map_err(reason)?;
            let library: &'static Library = Box::leak(Box::new(library));
            Ok(Driver { $(
                // SAFETY: the header of the driver declares the function so.
                $field: *unsafe { library.get($symbol.as_bytes()) }.map_err(reason)?,
            )* })
        }
    };
}

driver! {
    init = "cuInit"(c_uint);
    device_get = "cuDeviceGet"(*mut c_int, c_int);
    device_count = "cuDeviceGetCount"(*mut c_int);
    device_name = "cuDeviceGetName"(*mut c_char, c_int, c_int);
    context_retain = "cuDevicePrimaryCtxRetain"(*mut Handle, c_int);
    context_set = "cuCtxSetCurrent"(Handle);
    context_synchronize = "cuCtxSynchronize"();
    stream_create = "cuStreamCreate"(*mut Handle, c_uint);
    stream_destroy = "cuStreamDestroy_v2"(Handle);
    stream_synchronize = "cuStreamSynchronize"(Handle);
    stream_query = "cuStreamQuery"(Handle);
    stream_wait = "cuStreamWaitEvent"(Handle, Handle, c_uint);
    event_create = "cuEventCreate"(*mut Handle, c_uint);
    event_destroy = "cuEventDestroy_v2"(Handle);
    event_record = "cuEventRecord"(Handle, Handle);
    event_query = "cuEventQuery"(Handle);
    event_synchronize = "cuEventSynchronize"(Handle);
    event_elapsed = "cuEventElapsedTime"(*mut f32, Handle, Handle);
    memory_allocate = "cuMemAlloc_v2"(*mut Address, usize);
    memory_free = "cuMemFree_v2"(Address);
    memory_info = "cuMemGetInfo_v2"(*mut usize, *mut usize);
    host_allocate = "cuMemHostAlloc"(*mut *mut c_void, usize, c_uint);
    host_register = "cuMemHostRegister_v2"(*mut c_void, usize, c_uint);
    host_unregister = "cuMemHostUnregister"(*mut c_void);
    host_device_pointer = "cuMemHostGetDevicePointer_v2"(*mut Address, *mut c_void, c_uint);
    copy = "cuMemcpy"(Address, Address, usize);
    copy_async = "cuMemcpyAsync"(Address, Address, usize, Handle);
    fill_async = "cuMemsetD8Async"(Address, u8, usize, Handle);
    device_pool = "cuDeviceGetDefaultMemPool"(*mut Handle, c_int);
    pool_create = "cuMemPoolCreate"(*mut Handle, *const PoolProperties);
    pool_destroy = "cuMemPoolDestroy"(Handle);
    pool_set = "cuMemPoolSetAttribute"(Handle, c_uint, *mut c_void);
    pool_get = "cuMemPoolGetAttribute"(Handle, c_uint, *mut c_void);
    pool_trim = "cuMemPoolTrimTo"(Handle, usize);
    pool_allocate = "cuMemAllocFromPoolAsync"(*mut Address, usize, Handle, Handle);
    pool_free = "cuMemFreeAsync"(Address, Handle);
    host_function = "cuLaunchHostFunc"(Handle, Option<unsafe extern "C" fn(*mut c_void)>, *mut c_void);
    error_name = "cuGetErrorName"(c_int, *mut *const c_char);
}

/// What the loader of the system has said.
fn reason(error: libloading::Error) -> String {
    let said = error.source().map(ToString::to_string);
    said.unwrap_or_else(|| error.to_string())
}

/// Returns the driver, or why there is none.
pub fn driver() -> Result<&'static Driver, String> {
    static DRIVER: OnceLock<Result<Driver, String>> = OnceLock::new();
    let loaded = DRIVER.get_or_init(|| {
        let driver = load()?;
        // SAFETY: no contract.
        match unsafe { (driver.init)(0) } {
            0 => Ok(driver),
            code => Err(format!("cuInit has returned {code}")),
        }
    });
    loaded.as_ref().map_err(Clone::clone)
}

/// Returns the name of the first device.
pub fn name(driver: &Driver) -> String {
    let mut name = [0_u8; 256];
    // SAFETY: `name` has this many bytes. Without a device nothing is written.
    unsafe { (driver.device_name)(name.as_mut_ptr().cast(), 256, 0) };
    let name = CStr::from_bytes_until_nul(&name).unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Returns the driver, or the status code of AscendCL for a machine without one.
pub fn found() -> Result<&'static Driver, sys::aclError> {
    driver().map_err(|why| {
        fail(
            sys::ACL_ERROR_RT_NO_DEVICE,
            format!("no CUDA driver: {why}"),
        )
    })
}

/// Returns the status code of AscendCL for a result of the driver.
pub fn status(driver: &Driver, call: &str, result: c_int) -> sys::aclError {
    if result == 0 {
        return sys::ACL_SUCCESS;
    }
    let mut name = std::ptr::null();
    // SAFETY: `name` is valid for a write.
    let named = unsafe { (driver.error_name)(result, &raw mut name) } == 0 && !name.is_null();
    let name = match named {
        // SAFETY: a NUL-terminated text of the driver.
        true => unsafe { CStr::from_ptr(name) }.to_string_lossy(),
        false => "?".into(),
    };
    let code = match result {
        1 => sys::ACL_ERROR_RT_PARAM_INVALID,
        OUT_OF_MEMORY => sys::ACL_ERROR_RT_MEMORY_ALLOCATION,
        101 => sys::ACL_ERROR_RT_INVALID_DEVICEID,
        201 => sys::ACL_ERROR_RT_CONTEXT_NULL,
        400 => sys::ACL_ERROR_RT_INVALID_HANDLE,
        712 => sys::ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
        801 => sys::ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
        _ => sys::ACL_ERROR_RT_TS_ERROR,
    };
    fail(
        code,
        format!("{call} failed: the CUDA driver has returned {name} ({result})"),
    )
}
