//! The current context of a thread.

use std::cell::Cell;
use std::ptr;
use std::sync::atomic::Ordering;

use ascendcl_sys::{ACL_ERROR_RT_CONTEXT_NULL, aclError, aclrtContext};

use crate::engine::context::Context;
use crate::engine::engine;
use crate::error::fail;
use crate::handles::slots::{Found, handle};
use crate::sync::{Mutex, lock};

thread_local! {
    /// The context that the thread chose with `aclrtSetCurrentContext` or `aclrtCreateContext`.
    static EXPLICIT: Cell<aclrtContext> = const { Cell::new(ptr::null_mut()) };
    /// The device whose default context the thread uses since `aclrtSetDevice`; -1 is none.
    static PRIMARY: Cell<i32> = const { Cell::new(-1) };
    /// The context that these two values gave last. It is valid while the context exists.
    static FOUND: Cell<Option<Current>> = const { Cell::new(None) };
}

/// A device, and the function that sets it for the calling thread.
type Default = (i32, fn(&str, i32) -> Result<(), aclError>);

/// The device of threads without a context.
static DEFAULT: Mutex<Option<Default>> = Mutex::new(None);

/// Sets the device of threads without a context.
pub(crate) fn set_default(default: Option<Default>) {
    *lock(&DEFAULT) = default;
}

/// The current context of a thread.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Current {
    pub(crate) context: &'static Context,
    pub(crate) index: u32,
    pub(crate) generation: u32,
}

impl Current {
    /// Returns the id of the device.
    #[inline]
    pub(crate) fn device(&self) -> u32 {
        self.context.device.load(Ordering::Relaxed)
    }

    /// Returns the handle of the context.
    pub(crate) fn handle(&self) -> aclrtContext {
        handle::<Context>(self.index, self.generation)
    }
}

/// Returns the current context of the calling thread, if it has one.
#[inline(always)]
fn lookup() -> Option<Current> {
    match FOUND.get() {
        Some(found) if found.context.is(found.generation) => Some(found),
        _ => {
            FOUND.set(look_again());
            FOUND.get()
        }
    }
}

#[cold]
fn look_again() -> Option<Current> {
    let explicit = EXPLICIT.get();
    let handle = if !explicit.is_null() {
        explicit
    } else if let Ok(device) = usize::try_from(PRIMARY.get()) {
        engine().devices.get(device)?.primary()
    } else {
        return None;
    };
    match engine().contexts.find(handle) {
        Found::Live {
            slot,
            index,
            generation,
        } => Some(Current {
            context: slot,
            index,
            generation,
        }),
        Found::Stale | Found::Garbage => None,
    }
}

/// Makes the calling thread use another context, or the default one of a device.
pub(crate) fn choose(explicit: aclrtContext, primary: i32) {
    EXPLICIT.set(explicit);
    PRIMARY.set(primary);
    FOUND.set(None);
}

/// Returns the current context of the calling thread, or the code for having none.
#[inline(always)]
pub(crate) fn current(call: &str) -> Result<Current, aclError> {
    match lookup() {
        Some(current) => Ok(current),
        None => default_device(call),
    }
}

/// Returns the current context of the calling thread, if it has one. Sets no device.
pub(crate) fn present() -> Option<Current> {
    lookup()
}

/// Returns the device of the JSON file, if the thread has no context and would get this one.
pub(crate) fn undecided() -> Option<i32> {
    if lookup().is_some() {
        return None;
    }
    let (device, _) = default()?;
    Some(device)
}

/// Returns the default device. A thread without a context gets it, also after the last reset of another one.
fn default() -> Option<Default> {
    *lock(&DEFAULT)
}

/// Sets the device of the JSON file, if it names one, for a thread without a context.
#[cold]
fn default_device(call: &str) -> Result<Current, aclError> {
    if let Some((device, set)) = default() {
        set(call, device)?;
        if let Some(current) = lookup() {
            return Ok(current);
        }
    }
    Err(fail(
        ACL_ERROR_RT_CONTEXT_NULL,
        format_args!(
            "{call} failed: the calling thread has no context, or its device was reset; call \
             aclrtSetDevice or aclrtSetCurrentContext on this thread first"
        ),
    ))
}

/// Returns whether the calling thread has a device that can be queried. Like any other call that needs a device, this
/// sets the device of the JSON file.
pub(crate) fn reaches_device() -> bool {
    lookup().is_some()
        || default().is_some_and(|(device, set)| set("aclGetRecentErrMsg", device).is_ok())
}

/// Makes the calling thread use the default context of a device.
pub(crate) fn use_primary(device: i32) {
    choose(ptr::null_mut(), device);
}
