//! What functions of areas with objects share: null checks, objects behind handles, and results for C.

use std::fmt;

use ascendcl_sys::{ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID, ACL_SUCCESS, aclError};

use crate::check;
use crate::error::{fail, null};
use crate::handles::registry::{Held, Registry};

/// Returns the status code of a result.
#[inline(never)] // Most functions of C end with it.
pub(crate) fn status(result: Result<(), aclError>) -> aclError {
    match result {
        Ok(()) => ACL_SUCCESS,
        Err(code) => code,
    }
}

/// Takes the value of a result, or ends a function of C with its code: the `?` of functions that return a code.
macro_rules! attempt {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(code) => return code,
        }
    };
}
pub(crate) use attempt;

/// Refuses a null pointer.
pub(crate) fn not_null<T>(call: &str, argument: &str, pointer: *const T) -> Result<(), aclError> {
    not_zero(call, argument, pointer.addr())
}

/// Pointers are of many types, and this is compiled once for all of them.
fn not_zero(call: &str, argument: &str, address: usize) -> Result<(), aclError> {
    if address == 0 {
        return Err(null(call, argument));
    }
    Ok(())
}

/// Refuses an argument.
#[cold]
pub(crate) fn invalid(call: &str, why: fmt::Arguments<'_>) -> aclError {
    refused(call, ACL_ERROR_INVALID_PARAM, why)
}

/// Refuses an argument with the code of the runtime. Which of the two layers checks an argument differs from call to
/// call.
#[cold]
pub(crate) fn invalid_below(call: &str, why: fmt::Arguments<'_>) -> aclError {
    refused(call, ACL_ERROR_RT_PARAM_INVALID, why)
}

/// Refuses a call with a code.
#[cold]
pub(crate) fn refused(call: &str, code: aclError, why: fmt::Arguments<'_>) -> aclError {
    fail(code, format_args!("{call} failed: {why}"))
}

/// Writes a result of C.
///
/// # Safety
///
/// - `place` is valid for a write.
pub(crate) unsafe fn write<T>(place: *mut T, value: T) {
    // SAFETY: the caller's contract.
    unsafe { place.write(value) };
}

/// The objects of one opaque type of C. A handle that names none is refused as an invalid argument; on a card it is a
/// pointer to freed memory.
#[derive(Debug)]
pub(crate) struct Objects<T> {
    /// The type of C.
    pub(crate) kind: &'static str,
    pub(crate) registry: Registry<T>,
}

/// The object of a handle, or the code of the refusal.
struct Found<'a, T> {
    held: Option<Held<'a, T>>,
    code: aclError,
}

impl<T> Found<'_, T> {
    fn value(&mut self) -> Option<&mut T> {
        self.held.as_mut()?.value()
    }
}

impl<T> Objects<T> {
    pub(crate) const fn new(kind: &'static str, tag: u8) -> Self {
        Objects {
            kind,
            registry: Registry::new(tag),
        }
    }

    /// Creates an object; null if there are too many.
    pub(crate) fn create<H>(&self, call: &str, value: T) -> *mut H {
        let Some(handle) = self.registry.insert(value) else {
            return std::ptr::null_mut();
        };
        check::tell(call, &|checker, site| {
            checker.created(handle, self.kind, site)
        });
        std::ptr::without_provenance_mut(handle)
    }

    /// Uses an object. The works on objects of a type are many, and this is compiled once for all with results of one type.
    pub(crate) fn with<H, R>(
        &self,
        call: &str,
        argument: &str,
        handle: *const H,
        work: &mut dyn FnMut(&mut T) -> R,
    ) -> Result<R, aclError> {
        let mut found = self.find(call, argument, handle.addr());
        match found.value() {
            Some(value) => Ok(work(value)),
            None => Err(found.code),
        }
    }

    /// Returns a copy of an object.
    pub(crate) fn get<H>(&self, call: &str, argument: &str, handle: *const H) -> Result<T, aclError>
    where
        T: Clone,
    {
        self.with(call, argument, handle, &mut |value| value.clone())
    }

    /// Refuses a handle without an object.
    pub(crate) fn check<H>(
        &self,
        call: &str,
        argument: &str,
        handle: *const H,
    ) -> Result<(), aclError> {
        let mut found = self.find(call, argument, handle.addr());
        found.value().map(|_| ()).ok_or(found.code)
    }

    /// Locks the object of a handle.
    fn find(&self, call: &str, argument: &str, handle: usize) -> Found<'_, T> {
        let held = self.registry.hold(handle);
        let code = match held {
            Some(_) => ACL_ERROR_INVALID_PARAM,
            None if handle == 0 => null(call, argument),
            None => self.gone(call, handle),
        };
        Found { held, code }
    }

    /// Returns whether a handle names an object.
    pub(crate) fn is_live(&self, handle: usize) -> bool {
        self.registry.hold(handle).is_some()
    }

    /// Destroys an object.
    pub(crate) fn destroy<H>(&self, call: &str, argument: &str, handle: *const H) -> aclError {
        if handle.is_null() {
            return null(call, argument);
        }
        if self.registry.remove(handle.addr()) {
            check::tell(call, &|checker, site| {
                checker.destroyed(handle.addr(), &site)
            });
            return ACL_SUCCESS;
        }
        self.gone(call, handle.addr())
    }

    #[cold]
    fn gone(&self, call: &str, handle: usize) -> aclError {
        check::tell(call, &|checker, site| {
            checker.stale(self.kind, handle, site)
        });
        invalid(
            call,
            format_args!("{handle:#x} is no {}, or was destroyed already", self.kind),
        )
    }
}
