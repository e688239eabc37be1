//! An engine of the program itself beside the one of this package.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use ascendcl_emulator::model::{self, Engine, Network, Unreadable};

/// An engine that says its name.
struct Own;

impl Engine for Own {
    fn read(&self, _: &[u8]) -> Result<Arc<dyn Network>, Unreadable> {
        Err(Unreadable::Unsupported(
            "the program's own engine".to_owned(),
        ))
    }
}

#[test]
fn an_engine_of_the_program_stays() {
    model::register(Arc::new(Own));
    ascendcl_emulator_onnx::register();
    let (runtime, table) = (ascendcl_emulator::API.runtime, ascendcl_emulator::API.model);
    // SAFETY: null asks for the defaults.
    assert_eq!(unsafe { (runtime.aclInit)(std::ptr::null()) }, 0);
    // SAFETY: takes a number.
    let set = unsafe { (ascendcl_emulator::API.device.aclrtSetDevice)(0) };
    assert_eq!(set, 0);
    let (file, mut id) = ([8_u8, 8, 0x3a, 0], 0);
    // SAFETY: the bytes are readable, and `id` is valid for a write.
    let code = unsafe { (table.aclmdlLoadFromMem)(file.as_ptr().cast(), file.len(), &raw mut id) };
    assert_eq!(code, 207000);
    let text = ascendcl_emulator::unread_text().unwrap();
    assert!(text.contains("the program's own engine"), "{text}");
}
