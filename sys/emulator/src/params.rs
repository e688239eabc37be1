//! Parameters of the process and of contexts (`acl/acl_rt.h`): how operators shall compute.
//!
//! The emulator keeps them and answers with them; its operators are deterministic either way.

use std::sync::Mutex;

use ascendcl_sys::{
    ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_SYSPARAMOPT_NOT_SET, ACL_OPT_DETERMINISTIC,
    ACL_OPT_ENABLE_DEBUG_KERNEL, ACL_OPT_STRONG_CONSISTENCY, ACL_SUCCESS, aclError, aclSysParamOpt,
};

use crate::beside::Beside;
use crate::context::{current, null};
use crate::error::fail;
use crate::sync::lock;

/// The parameters that there are (manual, CANN 8.5). All are 0 for a process that set none.
const PARAMS: [aclSysParamOpt; 3] = [
    ACL_OPT_DETERMINISTIC,
    ACL_OPT_ENABLE_DEBUG_KERNEL,
    ACL_OPT_STRONG_CONSISTENCY,
];

type Values = [Option<i64>; PARAMS.len()];

static OF_PROCESS: Mutex<Values> = Mutex::new([Some(0); PARAMS.len()]);
static OF_CONTEXTS: Beside<Values> = Beside::new();

/// The place of a parameter in [`Values`].
fn place(call: &str, opt: aclSysParamOpt) -> Result<usize, aclError> {
    PARAMS
        .iter()
        .position(|param| *param == opt)
        .ok_or_else(|| {
            fail(
                ACL_ERROR_INVALID_PARAM,
                format_args!(
                    "{call} failed: opt {opt:?} is no parameter; 0 to {} are",
                    PARAMS.len() - 1
                ),
            )
        })
}

/// Reads the parameter that `find` finds.
///
/// # Safety
///
/// `value` is null or valid for a write.
unsafe fn get(
    call: &str,
    opt: aclSysParamOpt,
    value: *mut i64,
    find: impl FnOnce(usize) -> Result<Option<i64>, aclError>,
) -> aclError {
    if value.is_null() {
        return null(call, "value");
    }
    match place(call, opt).and_then(find) {
        Ok(Some(found)) => {
            // SAFETY: not null; the caller's contract.
            unsafe { value.write(found) };
            ACL_SUCCESS
        }
        Ok(None) => fail(
            ACL_ERROR_RT_SYSPARAMOPT_NOT_SET,
            format_args!("{call} failed: nobody has set parameter {opt:?} of this context"),
        ),
        Err(code) => code,
    }
}

pub(crate) unsafe extern "C" fn aclrtGetSysParamOpt(
    opt: aclSysParamOpt,
    value: *mut i64,
) -> aclError {
    let find = |place: usize| Ok(lock(&OF_PROCESS).get(place).copied().flatten());
    // SAFETY: the same contract.
    unsafe { get("aclrtGetSysParamOpt", opt, value, find) }
}

pub(crate) unsafe extern "C" fn aclrtSetSysParamOpt(opt: aclSysParamOpt, value: i64) -> aclError {
    match place("aclrtSetSysParamOpt", opt) {
        Ok(place) => {
            set(&mut lock(&OF_PROCESS), place, value);
            ACL_SUCCESS
        }
        Err(code) => code,
    }
}

pub(crate) unsafe extern "C" fn aclrtCtxGetSysParamOpt(
    opt: aclSysParamOpt,
    value: *mut i64,
) -> aclError {
    let call = "aclrtCtxGetSysParamOpt";
    let find = |place: usize| {
        let current = current(call)?;
        let values = OF_CONTEXTS.get((current.index, current.generation));
        Ok(values.and_then(|values| values.get(place).copied().flatten()))
    };
    // SAFETY: the same contract.
    unsafe { get(call, opt, value, find) }
}

pub(crate) unsafe extern "C" fn aclrtCtxSetSysParamOpt(
    opt: aclSysParamOpt,
    value: i64,
) -> aclError {
    let call = "aclrtCtxSetSysParamOpt";
    let found = place(call, opt).and_then(|place| Ok((place, current(call)?)));
    match found {
        Ok((place, current)) => {
            let context = (current.index, current.generation);
            OF_CONTEXTS.change(context, |values| set(values, place, value));
            ACL_SUCCESS
        }
        Err(code) => code,
    }
}

fn set(values: &mut Values, place: usize, value: i64) {
    if let Some(slot) = values.get_mut(place) {
        *slot = Some(value);
    }
}
