//! Options of compiling operators (`acl/acl_op_compiler.h`). They change nothing: the emulator compiles nothing.

use std::ffi::c_char;

use ascendcl_sys::{
    ACL_AUTO_TUNE_MODE, ACL_ERROR_API_NOT_SUPPORT, ACL_ERROR_FAILURE,
    ACL_ERROR_FEATURE_UNSUPPORTED, ACL_ERROR_INTERNAL_ERROR, ACL_OP_DEBUG_OPTION,
    ACL_OP_JIT_COMPILE, ACL_SUCCESS, aclCompileOpt, aclError, aclGraphDumpOption, aclOpCompileFlag,
};

use super::attribute::text;
use crate::object_calls::{Objects, not_null, refused, status};
use crate::sorted::Sorted;
use crate::sync::{Mutex, lock};

static OPTIONS: Mutex<Sorted<aclCompileOpt, String>> = Mutex::new(Sorted::new());

static DUMPS: Objects<()> = Objects::new("aclGraphDumpOption", 0x67);

/// The bytes for the value of `ACL_OP_JIT_COMPILE`, and its usual value on Atlas A2.
const JIT_SIZE: usize = 256;
const JIT: &str = "disable";

/// Returns whether it is an option.
fn is_known(opt: aclCompileOpt) -> bool {
    opt <= ACL_OP_DEBUG_OPTION && opt != ACL_AUTO_TUNE_MODE
}

pub(crate) unsafe extern "C" fn aclSetCompileopt(
    opt: aclCompileOpt,
    value: *const c_char,
) -> aclError {
    let call = "aclSetCompileopt";
    status((|| {
        // SAFETY: the caller's contract: a C string.
        let value = unsafe { text(call, "value", value) }?;
        if opt == ACL_AUTO_TUNE_MODE {
            return Err(refused(
                call,
                ACL_ERROR_FEATURE_UNSUPPORTED,
                format_args!("CANN has no ACL_AUTO_TUNE_MODE any more"),
            ));
        }
        if !is_known(opt) {
            return Err(refused(
                call,
                ACL_ERROR_INTERNAL_ERROR,
                format_args!("{opt:?} is no option"),
            ));
        }
        lock(&OPTIONS).insert(opt, value);
        Ok(())
    })())
}

pub(crate) unsafe extern "C" fn aclGetCompileoptSize(opt: aclCompileOpt) -> usize {
    if opt == ACL_OP_JIT_COMPILE {
        return JIT_SIZE;
    }
    let options = lock(&OPTIONS);
    let value = options.get(&opt).filter(|value| !value.is_empty());
    value.map_or(0, |value| value.len() + 1)
}

pub(crate) unsafe extern "C" fn aclGetCompileopt(
    opt: aclCompileOpt,
    value: *mut c_char,
    length: usize,
) -> aclError {
    let call = "aclGetCompileopt";
    status((|| {
        not_null(call, "value", value)?;
        let text = match opt {
            ACL_OP_JIT_COMPILE => Some(JIT.to_owned()),
            ACL_OP_DEBUG_OPTION => lock(&OPTIONS).get(&opt).cloned(),
            _ => None,
        };
        let Some(text) = text else {
            return Err(refused(
                call,
                ACL_ERROR_API_NOT_SUPPORT,
                format_args!("the value of {opt:?} cannot be asked for, or was not set"),
            ));
        };
        if length <= text.len() {
            return Err(refused(
                call,
                ACL_ERROR_FAILURE,
                format_args!(
                    "length is {length}; the value needs {} bytes, as aclGetCompileoptSize says",
                    text.len() + 1
                ),
            ));
        }
        let bytes = text.as_bytes();
        // SAFETY: not null; the caller's contract: room for `length` bytes, which are more than these.
        unsafe {
            value
                .cast::<u8>()
                .copy_from_nonoverlapping(bytes.as_ptr(), bytes.len())
        };
        // SAFETY: as above.
        unsafe { value.wrapping_add(bytes.len()).write(0) };
        Ok(())
    })())
}

pub(crate) unsafe extern "C" fn aclopSetCompileFlag(_flag: aclOpCompileFlag) -> aclError {
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclCreateGraphDumpOpt() -> *mut aclGraphDumpOption {
    DUMPS.create("aclCreateGraphDumpOpt", ())
}

pub(crate) unsafe extern "C" fn aclDestroyGraphDumpOpt(
    graphDumpOpt: *const aclGraphDumpOption,
) -> aclError {
    DUMPS.destroy("aclDestroyGraphDumpOpt", "graphDumpOpt", graphDumpOpt)
}
