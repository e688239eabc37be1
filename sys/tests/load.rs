//! Loading by path. The search for CANN depends on the environment and is tested through the typed
//! API, in processes with an environment of their own.

#![cfg(feature = "loaded")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use ascendcl_sys::{Api, LoadError};

#[test]
fn a_file_that_is_not_there_is_named() {
    // SAFETY: there is nothing to load.
    let error = unsafe { Api::load("no/such/libascendcl.so") }.unwrap_err();
    let LoadError::Unloadable { path, reason } = &error else {
        panic!("{error:?}")
    };
    assert_eq!(path.to_str(), Some("no/such/libascendcl.so"));
    assert!(!reason.is_empty());
    assert!(
        error
            .to_string()
            .starts_with("no/such/libascendcl.so cannot be loaded: ")
    );
    // What a `main` prints that returns the error.
    assert_eq!(format!("{error:?}"), error.to_string());
}

#[test]
fn a_library_of_something_else_is_named_with_what_it_lacks() {
    // SAFETY: the system's mathematics library runs no initialiser that matters.
    let error = unsafe { Api::load("libm.so.6") }.unwrap_err();
    let LoadError::NotAscendCl { missing, .. } = &error else {
        panic!("{error:?}")
    };
    assert!(missing.iter().any(|name| name == "aclrtMalloc"));
    assert!(error.to_string().contains("is not an AscendCL library"));
}

#[test]
fn a_file_that_is_no_library_is_refused() {
    // SAFETY: a source file is no library, so nothing of it runs.
    let error =
        unsafe { Api::load(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")) }.unwrap_err();
    assert!(matches!(error, LoadError::Unloadable { .. }));
}
