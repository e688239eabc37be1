//! Functions that the program registers for `aclInit` and for the end of AscendCL (`acl/acl_rt.h`).
//!
//! The rules and codes are those of the sources of CANN. Each type but `ACL_REG_TYPE_OTHER` has at most one function.
//! Assumptions: the types are called in the order of their numbers, and the functions of one type in the order of
//! their registration; a function gets the content of the configuration file. No lock is held during a call, so a
//! function may use AscendCL.

use std::ffi::{c_char, c_void};
use std::ptr;

use ascendcl_sys::{
    ACL_ERROR_INTERNAL_ERROR, ACL_REG_TYPE_OTHER, ACL_SUCCESS, aclError, aclFinalizeCallbackFunc,
    aclInitCallbackFunc, aclRegisterCallbackType,
};

use crate::error::{fail, null};
use crate::object_calls::attempt;
use crate::sync::{Mutex, lock};

/// A registered function with its type and the address of the user's data.
#[derive(Debug, Clone, Copy)]
struct Hook<F> {
    of: aclRegisterCallbackType,
    function: F,
    data: usize,
}

/// Registered functions, ordered by type.
type Hooks<F> = Mutex<Vec<Hook<F>>>;

type OnInit = unsafe extern "C" fn(*const c_char, usize, *mut c_void) -> aclError;
type OnEnd = unsafe extern "C" fn(*mut c_void) -> aclError;

static ON_INIT: Hooks<OnInit> = Mutex::new(Vec::new());
static ON_END: Hooks<OnEnd> = Mutex::new(Vec::new());

pub(crate) unsafe extern "C" fn aclInitCallbackRegister(
    type_: aclRegisterCallbackType,
    cbFunc: aclInitCallbackFunc,
    userData: *mut c_void,
) -> aclError {
    let hook = attempt!(register(
        "aclInitCallbackRegister",
        &ON_INIT,
        type_,
        cbFunc,
        userData
    ));
    if let Some(config) = super::configuration() {
        // The runtime ignores the answer here.
        let _ = hook.on_init(&config);
    }
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclInitCallbackUnRegister(
    type_: aclRegisterCallbackType,
    cbFunc: aclInitCallbackFunc,
) -> aclError {
    let same = |hook: &OnInit, given: OnInit| ptr::fn_addr_eq(*hook, given);
    remove("aclInitCallbackUnRegister", &ON_INIT, type_, cbFunc, same)
}

pub(crate) unsafe extern "C" fn aclFinalizeCallbackRegister(
    type_: aclRegisterCallbackType,
    cbFunc: aclFinalizeCallbackFunc,
    userData: *mut c_void,
) -> aclError {
    let call = "aclFinalizeCallbackRegister";
    let registered = register(call, &ON_END, type_, cbFunc, userData);
    registered.err().unwrap_or(ACL_SUCCESS)
}

pub(crate) unsafe extern "C" fn aclFinalizeCallbackUnRegister(
    type_: aclRegisterCallbackType,
    cbFunc: aclFinalizeCallbackFunc,
) -> aclError {
    let same = |hook: &OnEnd, given: OnEnd| ptr::fn_addr_eq(*hook, given);
    remove(
        "aclFinalizeCallbackUnRegister",
        &ON_END,
        type_,
        cbFunc,
        same,
    )
}

/// Calls the functions for `aclInit`. Stops at the first that fails, and returns its code.
pub(super) fn initialised(config: &[u8]) -> aclError {
    let hooks = lock(&ON_INIT).clone();
    first_failure(hooks.iter().map(|hook| hook.on_init(config)))
}

/// Calls the functions for the end. Stops at the first that fails, and returns its code.
pub(super) fn finalised() -> aclError {
    let hooks = lock(&ON_END).clone();
    first_failure(hooks.iter().map(Hook::on_end))
}

fn first_failure(mut codes: impl Iterator<Item = aclError>) -> aclError {
    codes
        .find(|code| *code != ACL_SUCCESS)
        .unwrap_or(ACL_SUCCESS)
}

impl Hook<OnInit> {
    fn on_init(&self, config: &[u8]) -> aclError {
        let data = ptr::with_exposed_provenance_mut(self.data);
        // SAFETY: the contract of the registration: the function may be called with its data and a text.
        unsafe { (self.function)(config.as_ptr().cast(), config.len(), data) }
    }
}

impl Hook<OnEnd> {
    fn on_end(&self) -> aclError {
        // SAFETY: the contract of the registration: the function may be called with its data.
        unsafe { (self.function)(ptr::with_exposed_provenance_mut(self.data)) }
    }
}

fn register<F: Copy>(
    call: &str,
    hooks: &Hooks<F>,
    of: aclRegisterCallbackType,
    function: Option<F>,
    data: *mut c_void,
) -> Result<Hook<F>, aclError> {
    let function = function.ok_or_else(|| null(call, "cbFunc"))?;
    let mut hooks = lock(hooks);
    if of != ACL_REG_TYPE_OTHER && hooks.iter().any(|hook| hook.of == of) {
        return Err(fail(
            ACL_ERROR_INTERNAL_ERROR,
            format_args!(
                "{call} failed: {of:?} has a function already; only ACL_REG_TYPE_OTHER has several"
            ),
        ));
    }
    let hook = Hook {
        of,
        function,
        data: data.expose_provenance(),
    };
    let place = hooks.partition_point(|other| other.of.0 <= of.0);
    hooks.insert(place, hook);
    Ok(hook)
}

fn remove<F: Copy>(
    call: &str,
    hooks: &Hooks<F>,
    of: aclRegisterCallbackType,
    function: Option<F>,
    same: impl Fn(&F, F) -> bool,
) -> aclError {
    let Some(function) = function else {
        return null(call, "cbFunc");
    };
    let mut hooks = lock(hooks);
    let place = hooks
        .iter()
        .position(|hook| hook.of == of && same(&hook.function, function));
    if let Some(place) = place {
        hooks.remove(place);
        return ACL_SUCCESS;
    }
    fail(
        ACL_ERROR_INTERNAL_ERROR,
        format_args!("{call} failed: {of:?} has no such function; pass what was registered"),
    )
}
