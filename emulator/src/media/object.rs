//! Objects of the first generation: their creation, their end, and the reports to the checker.
//!
//! The checker knows an object that a task uses as memory of one byte under its handle. So it finds an object that is
//! changed, read or destroyed while a task uses it.

use std::sync::atomic::{AtomicBool, Ordering};

use ascendcl_sys::{
    ACL_ERROR_FEATURE_UNSUPPORTED, ACL_ERROR_INTERNAL_ERROR, ACL_SUCCESS, aclError,
};

use super::product::product;
use crate::check::{self, Touch};
use crate::engine::current::current;
use crate::object_calls::{Objects, refused};
use crate::space::heap::Maker;

/// Whether a call has found the version of the device. The first one needs a context.
static FOUND: AtomicBool = AtomicBool::new(false);

/// Checks that the first generation can be used: the first call needs a context, and the product has to have it.
pub(super) fn ready(call: &str) -> Result<(), aclError> {
    if !FOUND.load(Ordering::Relaxed) {
        if current(call).is_err() {
            return Err(refused(
                call,
                ACL_ERROR_INTERNAL_ERROR,
                format_args!("no device is current on this thread; call aclrtSetDevice first"),
            ));
        }
        FOUND.store(true, Ordering::Relaxed);
    }
    if product().has_first() {
        return Ok(());
    }
    Err(unsupported(call))
}

/// Refuses a function that the product does not have.
#[cold]
pub(super) fn unsupported(call: &str) -> aclError {
    refused(
        call,
        ACL_ERROR_FEATURE_UNSUPPORTED,
        format_args!("this product does not have the function"),
    )
}

/// Refuses a function that the oldest products do not have.
pub(super) fn newer(call: &str) -> Result<(), aclError> {
    if product().is_oldest() {
        return Err(unsupported(call));
    }
    Ok(())
}

/// Creates an object; null if the generation cannot be used.
pub(super) fn create<T, H>(objects: &Objects<T>, call: &str, value: T) -> *mut H {
    if ready(call).is_err() {
        return std::ptr::null_mut();
    }
    let handle = objects.create::<H>(call, value);
    if !handle.is_null() {
        known(call, handle.addr());
    }
    handle
}

/// Tells the checker of an object that tasks use.
pub(super) fn known(call: &str, handle: usize) {
    check::tell(call, &|checker, site| {
        checker.allocate(handle, 1, Maker::Object, site);
    });
}

/// Tells the checker that such an object is about to end.
pub(super) fn ending(call: &str, handle: usize) {
    check::tell(call, &|checker, site| checker.free(handle, &site));
}

/// Destroys an object; null is none.
pub(super) fn destroy<T, H>(
    objects: &Objects<T>,
    call: &str,
    argument: &str,
    handle: *mut H,
) -> aclError {
    if handle.is_null() {
        return ACL_SUCCESS;
    }
    if objects.is_live(handle.addr()) {
        ending(call, handle.addr());
    }
    objects.destroy(call, argument, handle)
}

/// Uses an object in a call, which changes it if `write`.
pub(super) fn with<T, H, R>(
    objects: &Objects<T>,
    call: &str,
    argument: &str,
    handle: *const H,
    write: bool,
    work: &mut dyn FnMut(&mut T) -> R,
) -> Result<R, aclError> {
    let used = objects.with(call, argument, handle, work)?;
    check::tell(call, &|checker, site| {
        checker.use_now(vec![touch(handle.addr(), write)], false, site);
    });
    Ok(used)
}

/// The access of a task to an object.
pub(super) fn touch(handle: usize, write: bool) -> Touch {
    if write {
        Touch::write(handle, 1)
    } else {
        Touch::read(handle, 1)
    }
}

/// Defines functions that set and return a number of an object.
macro_rules! numbers {
    ($objects:ident: $Type:ident, $Handle:ident, $argument:ident; $($set:ident, $get:ident: $field:ident;)*) => { $(
        pub(crate) unsafe extern "C" fn $set($argument: *mut $Handle, number: u32) -> aclError {
            let (call, argument) = (stringify!($set), stringify!($argument));
            let mut set = |object: &mut $Type| object.$field = number;
            status(object::with(&$objects, call, argument, $argument, true, &mut set))
        }

        pub(crate) unsafe extern "C" fn $get($argument: *const $Handle) -> u32 {
            let (call, argument) = (stringify!($get), stringify!($argument));
            let mut get = |object: &mut $Type| object.$field;
            object::with(&$objects, call, argument, $argument, false, &mut get).unwrap_or(0)
        }
    )* };
}
pub(super) use numbers;
