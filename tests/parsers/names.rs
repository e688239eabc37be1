//! Names of operators.

use std::ffi::CString;

pub(crate) fn read(bytes: &[u8]) {
    let end = bytes
        .iter()
        .position(|byte| *byte == 0)
        .unwrap_or(bytes.len());
    let Some(name) = bytes.get(..end).and_then(|name| CString::new(name).ok()) else {
        return;
    };
    // The second call finds the backend installed.
    let _ = ascendcl::emulator::install();
    let found = ascendcl::sys::operator(&name);
    let is_name =
        name.to_bytes().starts_with(b"aclnn") && !name.to_bytes().ends_with(b"GetWorkspaceSize");
    assert!(found.is_none() || is_name, "{name:?} is an operator");
}
