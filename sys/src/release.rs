//! Which release of AscendCL a library is of.

use core::ffi::c_void;
use core::ptr::NonNull;

use crate::status::ACL_SUCCESS;
use crate::types::aclError;

/// A release: `ACL_MAJOR_VERSION` and `ACL_MINOR_VERSION` of its headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Release {
    major: i32,
    minor: i32,
}

/// The function that tells the release of its library. Every CANN since 8.1 has it, and it works before `aclInit`.
pub(crate) const FUNCTION: &core::ffi::CStr = c"aclrtGetVersion";

impl Release {
    /// The release of a mark: `1.17` of `#[changed(1.17)]`. Another text does not compile.
    pub(crate) const fn new(text: &str) -> Release {
        let (major, rest) = number(text.as_bytes());
        assert!(matches!(rest, [b'.', ..]), "a release is `<major>.<minor>`");
        let (minor, rest) = number(rest.split_at(1).1);
        assert!(rest.is_empty(), "a release is `<major>.<minor>`");
        Release { major, minor }
    }

    /// The release of the library that a function is of. `None` if the library has no such function, or if
    /// the function fails.
    ///
    /// # Safety
    ///
    /// The address is that of the C function [`FUNCTION`].
    pub(crate) unsafe fn of(address: Option<NonNull<c_void>>) -> Option<Release> {
        type GetVersion = unsafe extern "C" fn(*mut i32, *mut i32, *mut i32) -> aclError;
        let address = address?.as_ptr();
        // SAFETY: the caller's contract; CANN's headers declare the function so, in all releases since 8.1.
        let function = unsafe { core::mem::transmute::<*mut c_void, GetVersion>(address) };
        let (mut major, mut minor, mut patch) = (0, 0, 0);
        // SAFETY: the three pointers are valid for a write.
        let code = unsafe { function(&raw mut major, &raw mut minor, &raw mut patch) };
        (code == ACL_SUCCESS).then_some(Release { major, minor })
    }
}

/// The number that a text begins with, and what follows it.
const fn number(text: &[u8]) -> (i32, &[u8]) {
    let (mut number, mut rest) = (0, text);
    while let [digit @ b'0'..=b'9', next @ ..] = rest {
        number = number * 10 + (*digit - b'0') as i32;
        rest = next;
    }
    assert!(rest.len() < text.len(), "a release is `<major>.<minor>`");
    (number, rest)
}

#[cfg(test)]
mod tests {
    use super::Release;

    #[test]
    fn releases_are_compared_by_their_numbers() {
        let [older, newer] = [Release::new("1.9"), Release::new("1.17")];
        assert!(older < newer && newer < Release::new("2.0"));
        assert!(None < Some(older), "an unknown release is older than any");
    }
}
