//! The JSON files with the operators of a program (`aclopSetModelDir`).

use std::ffi::CString;

use ascendcl::sys::{ACL_ERROR_READ_MODEL_FAILURE, status};

use crate::scratch;

pub(crate) fn read(bytes: &[u8]) {
    let (_, folder) = scratch::write("operators/a.json", bytes);
    // A process sets one folder. This file is refused, so that each input is the first one.
    scratch::write("operators/b.json", b"[");
    let folder = CString::new(
        folder
            .join("operators")
            .into_os_string()
            .into_encoded_bytes(),
    );
    let folder = folder.unwrap();
    // SAFETY: a C string.
    let code = unsafe { (ascendcl::emulator::API.op.aclopSetModelDir)(folder.as_ptr()) };
    assert!(status::name(code).is_some() && code != 0, "{code}");
    if bytes.iter().filter(|byte| **byte == b'[').count() > 10_000 {
        assert_eq!(code, ACL_ERROR_READ_MODEL_FAILURE);
    }
}
