//! Process, error texts, data types (`acl/acl.h`, `acl/acl_base_rt.h`, `acl/acl_rt.h`).
//!
//! Versions of packages are in `package`, properties of the chip in `cann`, parameters in `params`, the time of
//! operators in `timeouts`, the hook for failed tasks in `exception`, and those for the start and the end in `hooks`.

pub(crate) mod cann;
pub(crate) mod exception;
pub(crate) mod hooks;
pub(crate) mod package;
pub(crate) mod params;
pub(crate) mod timeouts;

use std::ffi::{CStr, OsStr, c_char, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::ptr;

use ascendcl_sys::config::{self, Config, ConfigError};
use ascendcl_sys::{
    ACL_BF16, ACL_BOOL, ACL_COMPLEX32, ACL_COMPLEX64, ACL_COMPLEX128, ACL_DEVICE, ACL_DOUBLE,
    ACL_ERROR_INTERNAL_ERROR, ACL_ERROR_INVALID_FILE, ACL_ERROR_INVALID_PARAM,
    ACL_ERROR_PARSE_FILE, ACL_ERROR_REPEAT_FINALIZE, ACL_ERROR_REPEAT_INITIALIZE, ACL_FLOAT,
    ACL_FLOAT16, ACL_HOST, ACL_INT8, ACL_INT16, ACL_INT32, ACL_INT64, ACL_RT_THREAD_LEVEL,
    ACL_SUCCESS, ACL_UINT8, ACL_UINT16, ACL_UINT32, ACL_UINT64, aclDataBuffer, aclDataType,
    aclError, aclFloat16, aclrtLastErrLevel, aclrtRunMode,
};

use crate::check;
use crate::config::RunMode;
use crate::device;
use crate::engine::{self, current, engine};
use crate::error::{self, fail, null};
use crate::handles::registry::{Fate, Registry};
use crate::object_calls::{attempt, invalid, not_null, status};
use crate::sync::{Mutex, lock};

/// The counters and the configuration of `aclInit` and `aclFinalize`.
#[derive(Debug)]
struct Process {
    references: u64,
    /// Whether the last call was `aclFinalize`; a second `aclFinalize` is refused.
    finalised: bool,
    /// The path and the content of the first configuration file. They stay after `aclFinalize`, and also after the
    /// file was refused.
    file: Option<(PathBuf, Vec<u8>)>,
}

static PROCESS: Mutex<Process> = Mutex::new(Process {
    references: 0,
    finalised: false,
    file: None,
});

/// Returns whether the program has finalised AscendCL.
pub(crate) fn is_finalised() -> bool {
    lock(&PROCESS).finalised
}

/// Returns whether the program has initialised AscendCL and not finalised it.
pub(crate) fn is_initialised() -> bool {
    lock(&PROCESS).references > 0
}

pub(crate) unsafe extern "C" fn aclInit(configPath: *const c_char) -> aclError {
    let call = "aclInit";
    let path = if configPath.is_null() {
        None
    } else {
        // SAFETY: not null; the caller's contract: a C string.
        let bytes = unsafe { CStr::from_ptr(configPath) }.to_bytes();
        (!bytes.is_empty()).then(|| Path::new(OsStr::from_bytes(bytes)))
    };
    let mut process = lock(&PROCESS);
    if process.references > 0 {
        process.references += 1;
        return fail(
            ACL_ERROR_REPEAT_INITIALIZE,
            format_args!("{call} failed: ACL is initialised already; it is done once per process"),
        );
    }
    if engine().devices.is_empty() {
        return fail(
            ACL_ERROR_INTERNAL_ERROR,
            format_args!("{call} failed: there is no device (ASCENDCL_EMULATOR_DEVICES is 0)"),
        );
    }
    if let Some(path) = path {
        let content = match config::content(path) {
            Ok(content) => content,
            Err(error) => {
                return fail(
                    ACL_ERROR_INVALID_FILE,
                    format_args!(
                        "{call} failed: the configuration {} cannot be read: {error}",
                        path.display()
                    ),
                );
            }
        };
        let file = (path.to_owned(), content);
        if process.file.as_ref().is_some_and(|first| *first != file) {
            return invalid(
                call,
                format_args!(
                    "{} is not the configuration of the first initialisation",
                    path.display()
                ),
            );
        }
        // The file is the configuration from here on, even if its content is refused below.
        process.file = Some(file);
        match configured(call, path) {
            Ok(device) => current::set_default(device.map(|device| (device, device::set as _))),
            Err(code) => return code,
        }
    }
    process.references = 1;
    process.finalised = false;
    drop(process);
    let config = configuration().unwrap_or_default();
    let code = hooks::initialised(&config);
    if code != ACL_SUCCESS {
        // AscendCL is not initialised then.
        lock(&PROCESS).references = 0;
    }
    code
}

/// Returns the content of the configuration file, which is empty if there is none. `None` means that AscendCL is not
/// initialised.
fn configuration() -> Option<Vec<u8>> {
    let process = lock(&PROCESS);
    let content = process.file.as_ref().map(|(_, content)| content.clone());
    (process.references > 0).then(|| content.unwrap_or_default())
}

/// Returns the default device of a configuration file, if the file has one.
fn configured(call: &str, path: &Path) -> Result<Option<i32>, aclError> {
    let config = Config::read(path).map_err(|error| {
        let code = match error {
            ConfigError::Unreadable { .. } => ACL_ERROR_INVALID_FILE,
            ConfigError::NotJson { .. } | ConfigError::Nested { .. } => ACL_ERROR_PARSE_FILE,
            _ => ACL_ERROR_INVALID_PARAM,
        };
        fail(code, format_args!("{call} failed: {error}"))
    })?;
    match config.default_device {
        Some(id) if engine::device::find(id).is_none() => {
            Err(engine::device::unknown(call, i64::from(id)))
        }
        device => Ok(device),
    }
}

pub(crate) unsafe extern "C" fn aclFinalize() -> aclError {
    let mut process = lock(&PROCESS);
    if process.finalised {
        return finalised_already("aclFinalize");
    }
    process.references = 0;
    process.finalised = true;
    drop(process);
    hooks::finalised()
}

pub(crate) unsafe extern "C" fn aclFinalizeReference(refCount: *mut u64) -> aclError {
    let mut process = lock(&PROCESS);
    if process.references == 0 {
        if !refCount.is_null() {
            // SAFETY: not null; the caller's contract: valid for a write.
            unsafe { refCount.write(0) };
        }
        return finalised_already("aclFinalizeReference");
    }
    process.references -= 1;
    process.finalised = process.references == 0;
    if !refCount.is_null() {
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { refCount.write(process.references) };
    }
    let is_last = process.finalised;
    drop(process);
    if is_last {
        hooks::finalised()
    } else {
        ACL_SUCCESS
    }
}

#[cold]
fn finalised_already(call: &str) -> aclError {
    fail(
        ACL_ERROR_REPEAT_FINALIZE,
        format_args!("{call} failed: ACL is not initialised, or was finalised already"),
    )
}

pub(crate) unsafe extern "C" fn aclrtGetVersion(
    majorVersion: *mut i32,
    minorVersion: *mut i32,
    patchVersion: *mut i32,
) -> aclError {
    if majorVersion.is_null() || minorVersion.is_null() || patchVersion.is_null() {
        return null(
            "aclrtGetVersion",
            "majorVersion, minorVersion or patchVersion",
        );
    }
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { majorVersion.write(1) };
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { minorVersion.write(17) };
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { patchVersion.write(0) };
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtGetRunMode(runMode: *mut aclrtRunMode) -> aclError {
    if runMode.is_null() {
        return null("aclrtGetRunMode", "runMode");
    }
    let mode = match engine().config.run_mode {
        RunMode::Host => ACL_HOST,
        RunMode::Device => ACL_DEVICE,
    };
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { runMode.write(mode) };
    ACL_SUCCESS
}

/// Returns the latest error text. The runtime also asks the device for texts. On a thread without a device this query
/// fails, and the answer then contains its error.
pub(crate) unsafe extern "C" fn aclGetRecentErrMsg() -> *const c_char {
    error::take_text(current::reaches_device())
}

pub(crate) unsafe extern "C" fn aclrtPeekAtLastError(level: aclrtLastErrLevel) -> aclError {
    last("aclrtPeekAtLastError", level, error::peek)
}

pub(crate) unsafe extern "C" fn aclrtGetLastError(level: aclrtLastErrLevel) -> aclError {
    last("aclrtGetLastError", level, error::take)
}

fn last(call: &str, level: aclrtLastErrLevel, read: fn() -> aclError) -> aclError {
    if level == ACL_RT_THREAD_LEVEL {
        return read();
    }
    invalid(
        call,
        format_args!("level is {level:?}; only ACL_RT_THREAD_LEVEL exists"),
    )
}

pub(crate) unsafe extern "C" fn aclDataTypeSize(dataType: aclDataType) -> usize {
    match dataType {
        ACL_INT8 | ACL_UINT8 | ACL_BOOL => 1,
        ACL_FLOAT16 | ACL_BF16 | ACL_INT16 | ACL_UINT16 => 2,
        ACL_FLOAT | ACL_INT32 | ACL_UINT32 | ACL_COMPLEX32 => 4,
        ACL_DOUBLE | ACL_INT64 | ACL_UINT64 | ACL_COMPLEX64 => 8,
        ACL_COMPLEX128 => 16,
        // Types that are smaller than a byte, have no fixed size, or are unknown.
        _ => 0,
    }
}

pub(crate) unsafe extern "C" fn aclFloat16ToFloat(value: aclFloat16) -> f32 {
    half::f16::from_bits(value).to_f32()
}

pub(crate) unsafe extern "C" fn aclFloatToFloat16(value: f32) -> aclFloat16 {
    half::f16::from_f32(value).to_bits()
}

/// An address with a size. The emulator looks handles up and never dereferences them, because C may pass any value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DataBuffer {
    pub(crate) data: usize,
    pub(crate) size: usize,
}

impl DataBuffer {
    /// Returns a copy of the data buffer with this handle, or `None` if it does not exist.
    pub(crate) fn find(call: &str, handle: usize) -> Option<DataBuffer> {
        read(call, ptr::without_provenance(handle))
    }

    /// Stores this value as that of the data buffer with this handle, if it exists.
    pub(crate) fn store(self, call: &str, handle: usize) {
        let _ = with_buffer(call, ptr::without_provenance(handle), &mut |buffer| {
            *buffer = self;
            (Fate::Keep, ())
        });
    }
}

static DATA_BUFFERS: Registry<DataBuffer> = Registry::new(0x44);

/// Runs a closure on a data buffer. Returns an error of `call` if the buffer does not exist.
fn with_buffer<R>(
    call: &str,
    buffer: *const aclDataBuffer,
    work: &mut dyn FnMut(&mut DataBuffer) -> (Fate, R),
) -> Result<R, aclError> {
    not_null(call, "dataBuffer", buffer)?;
    DATA_BUFFERS.visit(buffer.addr(), work).ok_or_else(|| {
        check::tell(call, &|checker, site| {
            checker.stale(check::DATA_BUFFER, buffer.addr(), site);
        });
        invalid(
            call,
            format_args!(
                "{:#x} is no data buffer, or was destroyed already",
                buffer.addr()
            ),
        )
    })
}

pub(crate) unsafe extern "C" fn aclCreateDataBuffer(
    data: *mut c_void,
    size: usize,
) -> *mut aclDataBuffer {
    // The program gets its own address back and decides how to use it.
    let data = data.expose_provenance();
    let Some(handle) = DATA_BUFFERS.insert(DataBuffer { data, size }) else {
        return ptr::null_mut();
    };
    check::tell("aclCreateDataBuffer", &|checker, site| {
        checker.created(handle, check::DATA_BUFFER, site);
    });
    ptr::without_provenance_mut(handle)
}

pub(crate) unsafe extern "C" fn aclDestroyDataBuffer(dataBuffer: *const aclDataBuffer) -> aclError {
    let call = "aclDestroyDataBuffer";
    attempt!(with_buffer(call, dataBuffer, &mut |_| (Fate::Remove, ())));
    check::tell(call, &|checker, site| {
        checker.destroyed(dataBuffer.addr(), &site);
    });
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclUpdateDataBuffer(
    dataBuffer: *mut aclDataBuffer,
    data: *mut c_void,
    size: usize,
) -> aclError {
    let new = DataBuffer {
        data: data.expose_provenance(),
        size,
    };
    let updated = with_buffer("aclUpdateDataBuffer", dataBuffer, &mut |buffer| {
        *buffer = new;
        (Fate::Keep, ())
    });
    status(updated)
}

/// Returns a copy of a data buffer, or `None` if it does not exist.
fn read(call: &str, buffer: *const aclDataBuffer) -> Option<DataBuffer> {
    with_buffer(call, buffer, &mut |buffer| (Fate::Keep, *buffer)).ok()
}

pub(crate) unsafe extern "C" fn aclGetDataBufferAddr(
    dataBuffer: *const aclDataBuffer,
) -> *mut c_void {
    read("aclGetDataBufferAddr", dataBuffer).map_or(ptr::null_mut(), |buffer| {
        ptr::with_exposed_provenance_mut(buffer.data)
    })
}

pub(crate) unsafe extern "C" fn aclGetDataBufferSize(dataBuffer: *const aclDataBuffer) -> u32 {
    read("aclGetDataBufferSize", dataBuffer).map_or(0, |buffer| buffer.size as u32)
}

pub(crate) unsafe extern "C" fn aclGetDataBufferSizeV2(dataBuffer: *const aclDataBuffer) -> usize {
    read("aclGetDataBufferSizeV2", dataBuffer).map_or(0, |buffer| buffer.size)
}
