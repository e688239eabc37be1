//! Pictures through the functions of C, beside the results of Pillow (`pictures/generate.py`).

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test fails by panicking"
)]

#[path = "pictures/encoded.rs"]
mod encoded;
#[path = "pictures/filled.rs"]
mod filled;
#[path = "pictures/first.rs"]
mod first;
#[path = "pictures/many.rs"]
mod many;
#[path = "pictures/second.rs"]
mod second;

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ascendcl_sys::*;

/// Calls a function and asserts its status.
macro_rules! check {
    ($code:expr, $area:ident.$name:ident($($arg:expr),* $(,)?)) => {{
        let function = ascendcl_emulator::API.$area.$name;
        #[allow(clippy::macro_metavars_in_unsafe, reason = "the arguments are plain values")]
        // SAFETY: the test passes valid pointers and handles, or values that the emulator refuses.
        let code = unsafe { function($($arg),*) };
        assert_eq!(code as u32, $code as u32, "{}: {:?}", stringify!($name), ascendcl_emulator::unread_text());
    }};
    ($area:ident.$name:ident($($arg:expr),* $(,)?)) => { check!(0, $area.$name($($arg),*)) };
}

/// Calls a function that returns no status.
macro_rules! call {
    ($name:ident($($arg:expr),* $(,)?)) => {{
        let function = ascendcl_emulator::API.media.$name;
        #[allow(clippy::macro_metavars_in_unsafe, reason = "the arguments are plain values")]
        // SAFETY: the test passes valid handles.
        let answer = unsafe { function($($arg),*) };
        answer
    }};
}

pub(crate) use {call, check};

/// Waits for the other tests, registers the engine, and sets the device.
fn start() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    let guard = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: no configuration.
    let code = unsafe { (ascendcl_emulator::API.runtime.aclInit)(null()) };
    assert!([0, 100_002].contains(&code), "{code}");
    ascendcl_emulator_media::register();
    check!(device.aclrtSetDevice(0));
    guard
}

fn file(name: &str) -> Vec<u8> {
    let path = format!("{}/tests/pictures/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn copy_in(to: *mut c_void, bytes: &[u8]) {
    let kind = ACL_MEMCPY_HOST_TO_DEVICE;
    check!(memory.aclrtMemcpy(to, bytes.len(), bytes.as_ptr().cast(), bytes.len(), kind));
}

fn copy_out(from: *const c_void, len: usize) -> Vec<u8> {
    let mut bytes = vec![0; len];
    let kind = ACL_MEMCPY_DEVICE_TO_HOST;
    check!(memory.aclrtMemcpy(bytes.as_mut_ptr().cast(), len, from, len, kind));
    bytes
}

/// The greatest and the mean difference.
fn difference(ours: &[u8], theirs: &[u8]) -> (u8, f64) {
    assert_eq!(ours.len(), theirs.len());
    let all = ours.iter().zip(theirs).map(|(a, b)| a.abs_diff(*b));
    let (greatest, sum) = all.fold((0, 0.0), |(most, sum), one| {
        (one.max(most), sum + f64::from(one))
    });
    (greatest, sum / ours.len() as f64)
}
