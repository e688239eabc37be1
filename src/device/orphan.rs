//! Objects of C that no value owns any more, and that are released in their context.

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::Arc;

use ascendcl_sys as sys;

use super::core::{Core, current_context};
use crate::error::Error;
use crate::park::Parked;

/// An object with its context.
struct Orphan<T> {
    core: Arc<Core>,
    object: T,
    release: unsafe fn(T) -> sys::aclError,
    lose: fn(T, &Error),
}

/// Makes an object a parked one, which `release` releases while the context of `core` is current: `call` releases all of it
/// only there, and `lose` leaks it where the context cannot be made current. A wait for the end of a context frees what is parked
/// on a thread with another context, or with none.
///
/// # Safety
///
/// - The object belongs to the context of `core`. Once no work of that context uses it, `release` may release it.
pub(crate) unsafe fn in_context<T: Send>(
    core: &Arc<Core>,
    call: &'static str,
    object: T,
    release: unsafe fn(T) -> sys::aclError,
    lose: fn(T, &Error),
) -> Parked {
    let orphan = Box::new(Orphan {
        core: Arc::clone(core),
        object,
        release,
        lose,
    });
    Parked {
        pointer: NonNull::from(Box::leak(orphan)).cast(),
        bytes: 0,
        free: free::<T>,
        call,
    }
}

/// # Safety
///
/// - `orphan` comes from a leaked [`Box`] of an [`Orphan`] of this type, and nothing else frees it.
/// - No work uses the object.
unsafe fn free<T: Send>(orphan: NonNull<c_void>) -> sys::aclError {
    // SAFETY: the caller's contract.
    let orphan = unsafe { Box::from_raw(orphan.as_ptr().cast::<Orphan<T>>()) };
    let Orphan {
        core,
        object,
        release,
        lose,
    } = *orphan;
    if current_context().is_ok_and(|context| context == core.context()) {
        // SAFETY: the contract of `in_context`, and the caller's.
        return unsafe { release(object) };
    }
    let mut object = Some(object);
    let released = core.elsewhere(|| {
        let released = object.take().map(|object| {
            // SAFETY: the contract of `in_context`, and the caller's.
            unsafe { release(object) }
        });
        Ok(released.unwrap_or(sys::ACL_ERROR_INTERNAL_ERROR))
    });
    released.unwrap_or_else(|error| {
        // Without its context the object cannot be released, so it is leaked.
        if let Some(object) = object {
            lose(object, &error);
        }
        error.code().unwrap_or(sys::ACL_ERROR_INTERNAL_ERROR)
    })
}
