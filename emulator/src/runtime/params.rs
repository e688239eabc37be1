//! Parameters of the process and of contexts (`acl/acl_rt.h`): settings for the computation of operators.
//!
//! The emulator only stores the parameters and returns them. Its operators are deterministic with every setting.

use ascendcl_sys::{
    ACL_ERROR_RT_SYSPARAMOPT_NOT_SET, ACL_OPT_DETERMINISTIC, ACL_OPT_ENABLE_DEBUG_KERNEL,
    ACL_OPT_ENABLE_KERNEL_EARLY_START, ACL_OPT_STRONG_CONSISTENCY, ACL_SUCCESS, aclError,
    aclSysParamOpt,
};

use crate::engine::current::current;
use crate::error::fail;
use crate::handles::side_table::SideTable;
use crate::object_calls::{attempt, invalid, invalid_below, not_null};
use crate::sync::{Mutex, lock};

/// A parameter: its largest value, and whether contexts have it too.
#[derive(Debug, Clone, Copy)]
struct Param {
    opt: aclSysParamOpt,
    most: i64,
    of_contexts: bool,
}

const fn param(opt: aclSysParamOpt, most: i64, of_contexts: bool) -> Param {
    Param {
        opt,
        most,
        of_contexts,
    }
}

/// All parameters. Each is 0 until the process sets it.
const PARAMS: [Param; 4] = [
    param(ACL_OPT_DETERMINISTIC, 3, true),
    param(ACL_OPT_ENABLE_DEBUG_KERNEL, 1, true),
    param(ACL_OPT_STRONG_CONSISTENCY, 1, true),
    param(ACL_OPT_ENABLE_KERNEL_EARLY_START, 1, false),
];

type Values = [Option<i64>; PARAMS.len()];

static OF_PROCESS: Mutex<Values> = Mutex::new([Some(0); PARAMS.len()]);
static OF_CONTEXTS: SideTable<Values> = SideTable::new();

/// Returns the place of a parameter in [`Values`], and the parameter.
fn place(call: &str, opt: aclSysParamOpt, of_contexts: bool) -> Result<(usize, Param), aclError> {
    let exists = |param: &Param| param.opt == opt && (param.of_contexts || !of_contexts);
    let mut params = PARAMS.into_iter().enumerate();
    params.find(|(_, param)| exists(param)).ok_or_else(|| {
        let of = if of_contexts {
            "a context"
        } else {
            "the process"
        };
        invalid(call, format_args!("opt {opt:?} is no parameter of {of}"))
    })
}

/// Returns the place of a parameter after checking its new value.
fn place_for(
    call: &str,
    opt: aclSysParamOpt,
    value: i64,
    of_contexts: bool,
) -> Result<usize, aclError> {
    let (place, Param { most, .. }) = place(call, opt, of_contexts)?;
    if (0..=most).contains(&value) {
        return Ok(place);
    }
    Err(invalid_below(
        call,
        format_args!("value is {value}; {opt:?} takes 0 to {most}"),
    ))
}

/// Writes the value of a parameter, which `find` returns, to `value`.
///
/// # Safety
///
/// - `value` is null or valid for a write.
unsafe fn get(
    call: &str,
    opt: aclSysParamOpt,
    value: *mut i64,
    of_contexts: bool,
    find: impl FnOnce(usize) -> Result<Option<i64>, aclError>,
) -> aclError {
    attempt!(not_null(call, "value", value));
    match place(call, opt, of_contexts).and_then(|(place, _)| find(place)) {
        Ok(Some(found)) => {
            // SAFETY: not null; the caller's contract.
            unsafe { value.write(found) };
            ACL_SUCCESS
        }
        Ok(None) => fail(
            ACL_ERROR_RT_SYSPARAMOPT_NOT_SET,
            format_args!(
                "{call} failed: parameter {opt:?} of this context is not set; set it first"
            ),
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
    unsafe { get("aclrtGetSysParamOpt", opt, value, false, find) }
}

pub(crate) unsafe extern "C" fn aclrtSetSysParamOpt(opt: aclSysParamOpt, value: i64) -> aclError {
    let place = attempt!(place_for("aclrtSetSysParamOpt", opt, value, false));
    set(&mut lock(&OF_PROCESS), place, value);
    ACL_SUCCESS
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
    unsafe { get(call, opt, value, true, find) }
}

/// Sets a parameter of the current context. The parameter of the process changes too, as observed with the runtime.
pub(crate) unsafe extern "C" fn aclrtCtxSetSysParamOpt(
    opt: aclSysParamOpt,
    value: i64,
) -> aclError {
    let call = "aclrtCtxSetSysParamOpt";
    let found = place_for(call, opt, value, true).and_then(|place| Ok((place, current(call)?)));
    let (place, current) = attempt!(found);
    let context = (current.index, current.generation);
    OF_CONTEXTS.change(context, |values| set(values, place, value));
    set(&mut lock(&OF_PROCESS), place, value);
    ACL_SUCCESS
}

fn set(values: &mut Values, place: usize, value: i64) {
    if let Some(slot) = values.get_mut(place) {
        *slot = Some(value);
    }
}
