//! What threads share: devices, their contexts, and memory; and what each thread has: its context and its last error.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ffi::{CString, c_char, c_int};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ascendcl_sys as sys;

use crate::driver::{Handle, found, status};

/// The default context of a device: its address is the handle.
pub struct Context {
    pub device: i32,
    pub cuda: usize,
    /// The stream that a null handle stands for.
    pub default: Stream,
    /// How often the device was set, less how often it was reset.
    sets: AtomicUsize,
}

/// A stream: its address is the handle.
pub struct Stream {
    pub cuda: usize,
}

thread_local! {
    static CURRENT: Cell<Option<&'static Context>> = const { Cell::new(None) };
    static SAID: RefCell<Option<CString>> = const { RefCell::new(None) };
    static GIVEN: RefCell<Option<CString>> = const { RefCell::new(None) };
}

/// Notes the text of an error, and returns its code.
pub fn fail(code: sys::aclError, text: String) -> sys::aclError {
    SAID.set(CString::new(text).ok());
    code
}

/// Returns the last text of the thread once. It lives until the next question.
pub fn said() -> *const c_char {
    GIVEN.set(SAID.take());
    GIVEN.with_borrow(|given| given.as_ref().map_or(ptr::null(), |text| text.as_ptr()))
}

pub fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The contexts of the devices that were set once. None is released.
static CONTEXTS: Mutex<Vec<&'static Context>> = Mutex::new(Vec::new());

/// A stream that does not wait for the default stream of CUDA.
pub const NON_BLOCKING: u32 = 1;

/// Sets a device, and makes its context that of the thread.
pub fn set_device(device: i32) -> Result<(), sys::aclError> {
    let mut contexts = lock(&CONTEXTS);
    let known = contexts
        .iter()
        .find(|context| context.device == device)
        .copied();
    let context = match known {
        Some(context) => context,
        None => {
            let context: &'static Context = Box::leak(Box::new(retain(device)?));
            contexts.push(context);
            context
        }
    };
    bind(context)?;
    context.sets.fetch_add(1, Ordering::AcqRel);
    Ok(())
}

/// Returns the primary context of a device, current on this thread, and a stream of it.
fn retain(device: i32) -> Result<Context, sys::aclError> {
    let driver = found()?;
    let check = |call, code| match status(driver, call, code) {
        sys::ACL_SUCCESS => Ok(()),
        code => Err(code),
    };
    let (mut number, mut cuda, mut default) = (0, ptr::null_mut(), ptr::null_mut());
    // SAFETY: the output is valid for a write.
    check("cuDeviceGet", unsafe {
        (driver.device_get)(&raw mut number, device)
    })?;
    // SAFETY: as above.
    check("cuDevicePrimaryCtxRetain", unsafe {
        (driver.context_retain)(&raw mut cuda, number)
    })?;
    // SAFETY: the context was retained, and is never released.
    check("cuCtxSetCurrent", unsafe { (driver.context_set)(cuda) })?;
    // SAFETY: the output is valid for a write.
    check("cuStreamCreate", unsafe {
        (driver.stream_create)(&raw mut default, NON_BLOCKING)
    })?;
    Ok(Context {
        device,
        cuda: cuda.expose_provenance(),
        default: Stream {
            cuda: default.expose_provenance(),
        },
        sets: AtomicUsize::new(0),
    })
}

/// Makes a context that of the thread.
pub fn bind(context: &'static Context) -> Result<(), sys::aclError> {
    let driver = found()?;
    // SAFETY: a context that is never released.
    let code = status(driver, "cuCtxSetCurrent", unsafe {
        (driver.context_set)(handle(context.cuda))
    });
    if code != sys::ACL_SUCCESS {
        return Err(code);
    }
    CURRENT.set(Some(context));
    Ok(())
}

/// Gives one setting of a device back. Behind the last one, nothing of it runs, and no thread has its context.
pub fn reset_device(device: i32) -> sys::aclError {
    let contexts = lock(&CONTEXTS);
    let set =
        |context: &&&Context| context.device == device && context.sets.load(Ordering::Acquire) > 0;
    let (Some(context), Ok(driver)) = (contexts.iter().find(set), found()) else {
        return fail(
            sys::ACL_ERROR_RT_CONTEXT_RELEASE_ERROR,
            format!("device {device} is not set"),
        );
    };
    if context.sets.load(Ordering::Acquire) == 1 {
        // SAFETY: a context that is never released.
        unsafe { (driver.context_set)(handle(context.cuda)) };
        // SAFETY: a context is current.
        let code = status(driver, "cuCtxSynchronize", unsafe {
            (driver.context_synchronize)()
        });
        if code != sys::ACL_SUCCESS {
            return code;
        }
    }
    context.sets.fetch_sub(1, Ordering::AcqRel);
    sys::ACL_SUCCESS
}

/// Returns the context of the thread, unless its device was reset.
pub fn current(call: &str) -> Result<&'static Context, sys::aclError> {
    match CURRENT.get() {
        Some(context) if context.sets.load(Ordering::Acquire) > 0 => Ok(context),
        _ => Err(fail(
            sys::ACL_ERROR_RT_CONTEXT_NULL,
            format!("{call} failed: the thread has no context"),
        )),
    }
}

/// The handle of the driver with this address.
pub fn handle(address: usize) -> Handle {
    ptr::with_exposed_provenance_mut(address)
}

/// The blocks of a kind of memory. A free block goes to the next allocation of its size at once, as with `aclrtFree`, which does
/// not wait for work that uses the block.
#[derive(Default)]
pub struct Blocks {
    live: HashMap<usize, usize>,
    free: HashMap<usize, Vec<usize>>,
}

pub static DEVICE_MEMORY: Mutex<Option<Blocks>> = Mutex::new(None);
pub static HOST_MEMORY: Mutex<Option<Blocks>> = Mutex::new(None);

/// Returns a block of at least `size` bytes, which `allocate` makes if no free one has this size.
pub fn take_block(
    of: &Mutex<Option<Blocks>>,
    size: usize,
    allocate: impl FnOnce(usize) -> Result<usize, c_int>,
) -> Result<usize, c_int> {
    let size = size.next_multiple_of(512);
    let mut of = lock(of);
    let blocks = of.get_or_insert_default();
    let block = match blocks.free.get_mut(&size).and_then(Vec::pop) {
        Some(block) => block,
        None => allocate(size)?,
    };
    blocks.live.insert(block, size);
    Ok(block)
}

/// Frees a block. Returns whether there was one at this address.
pub fn give_block(of: &Mutex<Option<Blocks>>, block: usize) -> bool {
    let mut of = lock(of);
    let blocks = of.get_or_insert_default();
    let size = blocks.live.remove(&block);
    size.inspect(|size| blocks.free.entry(*size).or_default().push(block))
        .is_some()
}
