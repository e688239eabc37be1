//! Binaries (`acl/acl_rt.h`): loading, unloading, and finding their functions.
//!
//! A binary belongs to the device of the context in which it was loaded, and ends with it. Its functions end with the binary.
//! Assumptions: the codes of a file that cannot be read and of a name that the binary does not have (107000).

use std::ffi::{CStr, OsStr, c_char, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;
use std::slice;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ascendcl_sys::{
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE,
    ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD, ACL_RT_BINARY_LOAD_OPT_MAGIC, ACL_SUCCESS, aclError,
    aclrtBinHandle, aclrtBinary, aclrtBinaryLoadOptions, aclrtFuncHandle,
};

use super::file::{self, Content};
use super::function::{self, Function};
use super::{given, memory, registered};
use crate::check;
use crate::engine::current::current;
use crate::engine::{engine, submit};
use crate::handles::registry::Registry;
use crate::object_calls::{attempt, invalid_below, refused, status, write};
use crate::sync::{Mutex, lock};

/// A loaded binary.
#[derive(Debug)]
pub(super) struct Loaded {
    content: Content,
    device: u32,
    /// The number of times the device had been released at the load.
    epoch: u64,
    is_live: AtomicBool,
    /// The functions that were looked up: their names and handles.
    functions: Mutex<Vec<(Arc<str>, usize)>>,
}

impl Loaded {
    pub(super) fn device(&self) -> u32 {
        self.device
    }

    /// Returns whether the binary was neither unloaded nor ended with its device.
    pub(super) fn is_live(&self) -> bool {
        let device = engine().devices.get(self.device as usize);
        let is_set = device.is_some_and(|device| device.epoch() == self.epoch);
        is_set && self.is_live.load(Ordering::Acquire)
    }
}

/// The loaded binaries.
static BINARIES: Registry<Arc<Loaded>> = Registry::new(0x68);
/// The binaries in memory of the host, which can be loaded.
static IN_MEMORY: Registry<Arc<[u8]>> = Registry::new(0x69);

/// The kind of loaded binaries in reports.
const BINARY: &str = "kernel binary";

fn find(call: &str, handle: aclrtBinHandle) -> Result<Arc<Loaded>, aclError> {
    let found = BINARIES.get(handle.addr());
    let found = found.filter(|binary| binary.is_live());
    found.ok_or_else(|| submit::stale(call, BINARY, handle.addr()))
}

/// Enters a binary, and writes its handle.
///
/// # Safety
///
/// - `out` is valid for a write.
unsafe fn enter(
    call: &str,
    content: impl FnOnce() -> Result<Content, aclError>,
    out: *mut aclrtBinHandle,
) -> Result<(), aclError> {
    let device = current(call)?.device();
    let epoch = engine()
        .devices
        .get(device as usize)
        .map_or(0, |device| device.epoch());
    let loaded = Loaded {
        content: content()?,
        device,
        epoch,
        is_live: AtomicBool::new(true),
        functions: Mutex::default(),
    };
    let handle = BINARIES.insert(Arc::new(loaded)).unwrap_or(0);
    memory::want_lengths();
    check::tell(call, &|checker, site| {
        checker.created_on(device, handle, BINARY, site);
    });
    // SAFETY: the contract.
    unsafe { write(out, ptr::without_provenance_mut(handle)) };
    Ok(())
}

/// Checks the options of a load. None of them changes anything here.
///
/// # Safety
///
/// - `options` is null or valid for a read, and its options are as many as it says.
unsafe fn check_options(
    call: &str,
    options: *const aclrtBinaryLoadOptions,
) -> Result<(), aclError> {
    // SAFETY: the contract.
    let Some(options) = (unsafe { options.as_ref() }) else {
        return Ok(());
    };
    if options.numOpt == 0 {
        return Ok(());
    }
    if options.options.is_null() {
        let count = options.numOpt;
        return Err(invalid_below(
            call,
            format_args!("there shall be {count} options, and their address is NULL"),
        ));
    }
    // SAFETY: not null, and as many as there are (the contract).
    let all = unsafe { slice::from_raw_parts(options.options, options.numOpt) };
    all.iter().try_for_each(|option| match option.type_ {
        ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD | ACL_RT_BINARY_LOAD_OPT_MAGIC => Ok(()),
        ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE => Err(refused(
            call,
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
            format_args!("the emulator has no kernels for the CPU of a device"),
        )),
        other => Err(invalid_below(
            call,
            format_args!("there is no option {other:?}"),
        )),
    })
}

/// Returns whether an object in memory can have so many bytes.
fn is_length(bytes: usize) -> bool {
    bytes > 0 && isize::try_from(bytes).is_ok()
}

/// Reads a name of C.
///
/// # Safety
///
/// - `text` is a string of C.
unsafe fn text<'a>(text: *const c_char) -> &'a CStr {
    // SAFETY: the contract.
    unsafe { CStr::from_ptr(text) }
}

pub(crate) unsafe extern "C" fn aclrtBinaryLoadFromFile(
    binPath: *const c_char,
    options: *mut aclrtBinaryLoadOptions,
    binHandle: *mut aclrtBinHandle,
) -> aclError {
    let call = "aclrtBinaryLoadFromFile";
    given!(call, acl [binPath, binHandle]);
    // SAFETY: the same contract.
    attempt!(unsafe { check_options(call, options) });
    // SAFETY: not null; the same contract.
    let path = OsStr::from_bytes(unsafe { text(binPath) }.to_bytes());
    let content = || file::from_path(call, Path::new(path));
    // SAFETY: not null; the same contract.
    status(unsafe { enter(call, content, binHandle) })
}

pub(crate) unsafe extern "C" fn aclrtBinaryLoadFromData(
    data: *const c_void,
    length: usize,
    options: *const aclrtBinaryLoadOptions,
    binHandle: *mut aclrtBinHandle,
) -> aclError {
    let call = "aclrtBinaryLoadFromData";
    given!(call, acl [data, binHandle]);
    if !is_length(length) {
        return invalid_below(
            call,
            format_args!("length is {length}; pass the bytes of the binary"),
        );
    }
    // SAFETY: the same contract.
    attempt!(unsafe { check_options(call, options) });
    // SAFETY: not null, and as many bytes (the same contract).
    let bytes = unsafe { slice::from_raw_parts(data.cast::<u8>(), length) };
    let content = || file::from_bytes(call, bytes);
    // SAFETY: not null; the same contract.
    status(unsafe { enter(call, content, binHandle) })
}

/// Makes a binary of bytes in memory of the host. The runtime reads them at the load; here they are copied at once.
pub(crate) unsafe extern "C" fn aclrtCreateBinary(
    data: *const c_void,
    dataLen: usize,
) -> aclrtBinary {
    let call = "aclrtCreateBinary";
    if data.is_null() || !is_length(dataLen) {
        invalid_below(
            call,
            format_args!("data is {data:p}, dataLen {dataLen}; pass the bytes of the binary"),
        );
        return ptr::null_mut();
    }
    // SAFETY: not null, and as many bytes (the same contract).
    let bytes = unsafe { slice::from_raw_parts(data.cast::<u8>(), dataLen) };
    let handle = IN_MEMORY.insert(bytes.into()).unwrap_or(0);
    check::tell(call, &|checker, site| {
        checker.created(handle, "aclrtBinary", site);
    });
    ptr::without_provenance_mut(handle)
}

pub(crate) unsafe extern "C" fn aclrtDestroyBinary(binary: aclrtBinary) -> aclError {
    let call = "aclrtDestroyBinary";
    given!(call, acl[binary]);
    if !IN_MEMORY.remove(binary.addr()) {
        return submit::stale(call, "aclrtBinary", binary.addr());
    }
    check::tell(call, &|checker, site| {
        checker.destroyed(binary.addr(), &site);
    });
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtBinaryLoad(
    binary: aclrtBinary,
    binHandle: *mut aclrtBinHandle,
) -> aclError {
    let call = "aclrtBinaryLoad";
    given!(call, acl [binary, binHandle]);
    let Some(bytes) = IN_MEMORY.get(binary.addr()) else {
        return submit::stale(call, "aclrtBinary", binary.addr());
    };
    let content = || file::from_bytes(call, &bytes);
    // SAFETY: not null; the same contract.
    status(unsafe { enter(call, content, binHandle) })
}

/// Unloads a binary. A launch of it that has not run fails. The runtime frees the code at once and waits for nothing.
pub(crate) unsafe extern "C" fn aclrtBinaryUnLoad(binHandle: aclrtBinHandle) -> aclError {
    let call = "aclrtBinaryUnLoad";
    given!(call, acl[binHandle]);
    attempt!(current(call));
    let binary = attempt!(find(call, binHandle));
    let handle = binHandle.addr();
    check::tell(call, &|checker, site| checker.destroying(handle, &site));
    if !BINARIES.remove(handle) {
        // Another thread was faster.
        return submit::stale(call, BINARY, handle);
    }
    binary.is_live.store(false, Ordering::Release);
    let functions = std::mem::take(&mut *lock(&binary.functions));
    for (_, function) in &functions {
        function::remove(*function);
    }
    check::tell(call, &|checker, site| {
        for (_, function) in &functions {
            checker.destroyed(*function, &site);
        }
        checker.destroyed(handle, &site);
    });
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtBinaryGetFunction(
    binHandle: aclrtBinHandle,
    kernelName: *const c_char,
    funcHandle: *mut aclrtFuncHandle,
) -> aclError {
    let call = "aclrtBinaryGetFunction";
    given!(call, acl [binHandle, kernelName, funcHandle]);
    let binary = attempt!(find(call, binHandle));
    // SAFETY: not null; the same contract.
    let name = unsafe { text(kernelName) }.to_string_lossy();
    let mut functions = lock(&binary.functions);
    let known = functions.iter().find(|(known, _)| **known == *name);
    let handle = match known {
        Some((_, handle)) => *handle,
        None => {
            let kernel = match &binary.content {
                Content::Shared(library) => library.find(&name),
                Content::Registered => registered::find(&name).map_err(|others| {
                    format!("no kernel of this name is registered; there are: {others}")
                }),
            };
            let kernel = kernel.map_err(|why| {
                invalid_below(
                    call,
                    format_args!("the binary has no kernel {name:?}: {why}"),
                )
            });
            let kernel = attempt!(kernel);
            let name = Arc::clone(&kernel.name);
            let function = Function::new(kernel, binHandle.addr(), Arc::clone(&binary));
            let handle = function::insert(function);
            check::tell(call, &|checker, site| {
                checker.created_on(binary.device, handle, check::FUNCTION, site);
            });
            functions.push((name, handle));
            handle
        }
    };
    // SAFETY: not null; the same contract.
    unsafe { write(funcHandle, ptr::without_provenance_mut(handle)) };
    ACL_SUCCESS
}
