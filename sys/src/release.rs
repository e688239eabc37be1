//! Which release of AscendCL a library is of.

use core::ffi::{CStr, c_void};
use core::ptr::NonNull;

use crate::status::ACL_SUCCESS;
use crate::types::aclError;

/// A release: `ACL_MAJOR_VERSION` and `ACL_MINOR_VERSION` of its headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Release {
    major: i32,
    minor: i32,
}

/// The function that tells the release of its library. Every CANN from 8.1 to 9.2 has it, and it works before `aclInit`.
const FUNCTION: &CStr = c"aclrtGetVersion";

/// The successor of [`FUNCTION`], which is deprecated, and the release whose headers were the first to declare it.
const SUCCESSOR: (&CStr, Release) = (c"aclsysGetVersionNum", Release::new("1.17"));

impl Release {
    /// The release of a mark: `1.17` of `#[changed(1.17)]`. Another text does not compile.
    pub(crate) const fn new(text: &str) -> Release {
        let (major, rest) = number(text.as_bytes());
        assert!(matches!(rest, [b'.', ..]), "a release is `<major>.<minor>`");
        let (minor, rest) = number(rest.split_at(1).1);
        assert!(rest.is_empty(), "a release is `<major>.<minor>`");
        Release { major, minor }
    }

    /// The release of the library whose functions `resolve` finds. A library without [`FUNCTION`] that has its successor is
    /// at least of the release that brought it. `None` if it has neither, or if the function fails.
    ///
    /// # Safety
    ///
    /// An address that `resolve` returns is that of the C function of this name.
    pub(crate) unsafe fn installed(
        resolve: &mut dyn FnMut(&'static CStr) -> Option<NonNull<c_void>>,
    ) -> Option<Release> {
        type GetVersion = unsafe extern "C" fn(*mut i32, *mut i32, *mut i32) -> aclError;
        let Some(address) = resolve(FUNCTION) else {
            let (successor, since) = SUCCESSOR;
            return resolve(successor).map(|_| since);
        };
        let address = address.as_ptr();
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
