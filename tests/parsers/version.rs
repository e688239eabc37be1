//! The files with the versions of the packages of CANN.

use std::ffi::CString;

use ascendcl::sys::{ACL_SUCCESS, status};

use crate::scratch;

pub(crate) fn read(bytes: &[u8]) {
    let (_, folder) = scratch::write("share/info/runtime/version.info", bytes);
    // SAFETY: this process reads the environment on this thread only.
    unsafe { std::env::set_var("ASCEND_HOME_PATH", folder) };
    let api = ascendcl::emulator::API.runtime;
    let name = CString::from(c"runtime").into_raw();
    let (mut number, mut text) = (-1, [1; 128]);
    // SAFETY: a C string and a place for a number.
    let code = unsafe { (api.aclsysGetVersionNum)(name, &raw mut number) };
    assert!(status::name(code).is_some(), "{code}");
    assert!(
        code == ACL_SUCCESS || number == -1,
        "a refused call wrote {number}"
    );
    // SAFETY: a C string and a place of 128 bytes, as the function documents it.
    let code = unsafe { (api.aclsysGetVersionStr)(name, text.as_mut_ptr()) };
    assert!(status::name(code).is_some(), "{code}");
    assert_eq!(code == ACL_SUCCESS, text.contains(&0), "an end of the text");
    // SAFETY: the text that was made above.
    drop(unsafe { CString::from_raw(name) });
}
