//! Functions that the program registers under names, such as hooks for the states of streams and devices.

use std::ffi::{CStr, CString, c_char, c_void};
use std::sync::atomic::{AtomicBool, Ordering};

use ascendcl_sys::{ACL_ERROR_RT_PARAM_INVALID, ACL_SUCCESS, aclError};

use crate::error::{fail, null};
use crate::results::list_of;
use crate::sync::{Mutex, lock};

/// Functions of one kind with their names, in the order of the names.
#[derive(Debug)]
pub(crate) struct Named<F> {
    all: Mutex<Vec<(CString, (F, usize))>>,
    /// Whether there is any function. A program without functions takes no lock.
    any: AtomicBool,
}

impl<F: Copy> Named<F> {
    pub(crate) const fn new() -> Self {
        Named {
            all: Mutex::new(Vec::new()),
            any: AtomicBool::new(false),
        }
    }

    /// Registers a function with an argument, which only the program uses. Without a function the name ends.
    ///
    /// # Safety
    ///
    /// - `name` is null or a C string.
    pub(crate) unsafe fn change(
        &self,
        call: &str,
        name: *const c_char,
        function: Option<F>,
        args: *mut c_void,
    ) -> aclError {
        if name.is_null() {
            return null(call, "regName");
        }
        // SAFETY: not null; the caller's contract.
        let name = unsafe { CStr::from_ptr(name) };
        let mut all = lock(&self.all);
        let place = all.binary_search_by(|(other, _)| other.as_c_str().cmp(name));
        match (place, function) {
            (Ok(place), None) => drop(all.remove(place)),
            (Err(_), None) => {}
            (Err(place), Some(function)) => {
                all.insert(
                    place,
                    (name.to_owned(), (function, args.expose_provenance())),
                );
            }
            (Ok(_), Some(_)) => {
                return fail(
                    ACL_ERROR_RT_PARAM_INVALID,
                    format_args!(
                        "{call} failed: {name:?} is registered already; pass NULL to end that"
                    ),
                );
            }
        }
        self.any.store(!all.is_empty(), Ordering::Relaxed);
        ACL_SUCCESS
    }

    /// Returns the functions with their arguments, so that they are called without a lock.
    pub(crate) fn all(&self) -> Vec<(F, usize)> {
        if !self.any.load(Ordering::Relaxed) {
            return Vec::new();
        }
        list_of(lock(&self.all).iter().map(|(_, one)| *one))
    }
}
