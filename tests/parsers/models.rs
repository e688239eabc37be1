//! ONNX files (`aclmdlLoadFromMem`), through the engine of the emulator: they are loaded and described, and not run.

use std::ptr;
use std::sync::Once;

use ascendcl::emulator::API;
use ascendcl::sys::{ACL_SUCCESS, status};

/// Sets the device with the first input.
fn start() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        ascendcl_emulator_onnx::register();
        // SAFETY: no configuration.
        let code = unsafe { (API.runtime.aclInit)(ptr::null()) };
        assert_eq!(code, ACL_SUCCESS);
        // SAFETY: takes a number.
        let code = unsafe { (API.device.aclrtSetDevice)(0) };
        assert_eq!(code, ACL_SUCCESS);
    });
}

pub(crate) fn read(bytes: &[u8]) {
    start();
    let mut id = u32::MAX;
    // SAFETY: the bytes of the input, and a place for a number.
    let code =
        unsafe { (API.model.aclmdlLoadFromMem)(bytes.as_ptr().cast(), bytes.len(), &raw mut id) };
    assert!(status::name(code).is_some(), "{code}");
    if code != ACL_SUCCESS {
        assert_eq!(id, u32::MAX, "a refused call wrote a number");
        return;
    }
    // SAFETY: takes nothing.
    let desc = unsafe { (API.model.aclmdlCreateDesc)() };
    // SAFETY: a description and a model that exist.
    let code = unsafe { (API.model.aclmdlGetDesc)(desc, id) };
    assert_eq!(code, ACL_SUCCESS);
    // SAFETY: the description exists.
    let outputs = unsafe { (API.model.aclmdlGetNumOutputs)(desc) };
    assert!(outputs > 0, "a model without an output was loaded");
    // SAFETY: the description exists.
    let code = unsafe { (API.model.aclmdlDestroyDesc)(desc) };
    assert_eq!(code, ACL_SUCCESS);
    // SAFETY: the model exists.
    let code = unsafe { (API.model.aclmdlUnload)(id) };
    assert_eq!(code, ACL_SUCCESS);
}
