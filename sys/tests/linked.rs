//! Linking with a library that lacks the newer functions. `cargo xtask linked` makes such a library and
//! runs this; its functions do nothing and succeed.

#![cfg(all(feature = "linked", feature = "dispatch"))]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use ascendcl_sys as sys;

#[test]
fn what_the_library_lacks_is_absent_and_the_rest_is_there() {
    let api = sys::Api::linked();
    let missing: Vec<_> = api.missing().collect();
    assert!(!missing.contains(&"aclrtMalloc") && !missing.contains(&"aclAppLog"));
    assert!(missing.contains(&"aclrtMemsetD32"), "{missing:?}");
    // The library has it, with the signature of its own release.
    assert!(missing.contains(&"aclrtGetMemUsageInfo"), "{missing:?}");
    // SAFETY: the functions of the library read no memory.
    let origin = unsafe { api.install() }.unwrap();
    assert_eq!(*origin, sys::Origin::Linked);
    // SAFETY: takes a number.
    assert_eq!(unsafe { sys::aclrtSetDevice(0) }, sys::ACL_SUCCESS);
    // SAFETY: the function is absent, so nothing is written.
    let code = unsafe { sys::aclrtMemsetD32(core::ptr::null_mut(), 0, 0, 0) };
    assert_eq!(code, sys::ACL_ERROR_API_NOT_SUPPORT);
    assert_eq!(sys::absent::take(), Some("aclrtMemsetD32"));
    assert!(sys::operator(c"aclnnAdd").is_some());
    assert!(sys::operator(c"aclnnNowhere").is_none());
}
