//! The features of the installation and of the chip (`acl/acl_base_rt.h`, `acl/acl_rt.h`).
//!
//! A card reads the properties from a file of the installation. The emulator has no installation: it answers for the
//! configured chip and for the arithmetic of its own operators.

use std::ffi::{CStr, c_char};

use ascendcl_sys::{
    ACL_CANN_ATTR_BF16, ACL_CANN_ATTR_INF_NAN, ACL_CANN_ATTR_JIT_COMPILE, ACL_SUCCESS, aclCannAttr,
    aclError,
};

use crate::device::soc_name;
use crate::object_calls::{attempt, invalid, invalid_below, not_null};

/// The supported properties: infinities and NaN, bfloat16, and operators that are ready when a program starts. An
/// assumption: the emulated chip is one that has all of them.
static AVAILABLE: [aclCannAttr; 3] = [
    ACL_CANN_ATTR_INF_NAN,
    ACL_CANN_ATTR_BF16,
    ACL_CANN_ATTR_JIT_COMPILE,
];

pub(crate) unsafe extern "C" fn aclGetCannAttributeList(
    cannAttrList: *mut *const aclCannAttr,
    num: *mut usize,
) -> aclError {
    let call = "aclGetCannAttributeList";
    attempt!(not_null(call, "cannAttrList", cannAttrList));
    attempt!(not_null(call, "num", num));
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { cannAttrList.write(AVAILABLE.as_ptr()) };
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { num.write(AVAILABLE.len()) };
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclGetCannAttribute(
    cannAttr: aclCannAttr,
    value: *mut i32,
) -> aclError {
    let call = "aclGetCannAttribute";
    attempt!(not_null(call, "value", value));
    if !AVAILABLE.contains(&cannAttr) {
        return invalid(
            call,
            format_args!("cannAttr {cannAttr:?} is no property; aclGetCannAttributeList has them"),
        );
    }
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { value.write(1) };
    ACL_SUCCESS
}

/// Writes whether programs for a chip run on the emulated chip. An assumption: chips that differ only in the number
/// behind the last letter, such as `Ascend910B1` and `Ascend910B3`, run the same programs. All other chips do not.
pub(crate) unsafe extern "C" fn aclrtCheckArchCompatibility(
    socVersion: *const c_char,
    canCompatible: *mut i32,
) -> aclError {
    let call = "aclrtCheckArchCompatibility";
    if socVersion.is_null() || canCompatible.is_null() {
        return invalid_below(
            call,
            format_args!("it was given NULL; pass the name of a chip and a place for the answer"),
        );
    }
    // SAFETY: not null; the caller's contract: a C string.
    let asked = unsafe { CStr::from_ptr(socVersion) }.to_bytes();
    let same = family(asked) == family(soc_name().to_bytes());
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { canCompatible.write(same.into()) };
    ACL_SUCCESS
}

/// Returns the name of a chip without `Ascend` and without the number at its end. A name that has only digits behind
/// `Ascend` keeps them.
fn family(name: &[u8]) -> &[u8] {
    let name = name.strip_prefix(b"Ascend").unwrap_or(name);
    let digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit());
    match name.get(..name.len() - digits.count()) {
        Some(family) if !family.is_empty() => family,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::family;

    #[test]
    fn a_family_has_the_same_letters() {
        assert_eq!(family(b"Ascend910B1"), family(b"Ascend910B3"));
        assert_ne!(family(b"Ascend910B1"), family(b"Ascend310P3"));
        assert_ne!(family(b"Ascend910"), family(b"Ascend310"));
        assert_eq!((family(b""), family(b"Ascend")), (&b""[..], &b""[..]));
    }
}
