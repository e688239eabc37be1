//! The version of the runtime.

use std::fmt;

use ascendcl_sys as sys;

#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::Result;
use crate::raw::check;
use crate::runtime::Acl;

/// The version of AscendCL (`aclrtGetVersion`), which is not that of CANN: CANN 9 has AscendCL 1.17.0. Versions are ordered.
///
/// ```
/// # fn main() -> ascendcl::Result<()> {
/// # #[cfg(feature = "emulator")] {
/// use ascendcl::Acl;
///
/// let acl = Acl::from_env()?;
/// let version = acl.version()?;
/// println!("AscendCL {version}");
/// assert_eq!(version.major, 1);
/// # } Ok(()) }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuntimeVersion {
    /// The first number.
    pub major: i32,
    /// The second number.
    pub minor: i32,
    /// The third number.
    pub patch: i32,
}

impl fmt::Display for RuntimeVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

impl Acl {
    /// The version of AscendCL (`aclrtGetVersion`). CANN calls the function deprecated since release 9.1:
    /// [`version_num`](Acl::version_num) returns the version of a package.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// println!("AscendCL {}", acl.version()?);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    #[doc(alias = "aclrtGetVersion")]
    pub fn version(&self) -> Result<RuntimeVersion> {
        let (mut major, mut minor, mut patch) = (0, 0, 0);
        // SAFETY: each is valid for a write of an i32.
        let code = unsafe { sys::aclrtGetVersion(&raw mut major, &raw mut minor, &raw mut patch) };
        check("aclrtGetVersion", code)?;
        Ok(RuntimeVersion {
            major,
            minor,
            patch,
        })
    }
}
