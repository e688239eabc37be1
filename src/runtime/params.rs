//! Parameters of the process: the way operators compute.

use ascendcl_sys as sys;

#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::Result;
use crate::raw::check;
use crate::runtime::Acl;

/// A parameter of the process or of a context (`aclSysParamOpt`; manual, CANN 8.5).
///
/// A context has the value that was set for it, or else the value of the process. Setting one for a context sets it
/// for the process too, and so for each context without a value of its own (observed, CANN runtime 1.17). The
/// parameter `ACL_OPT_ENABLE_KERNEL_EARLY_START`, which only a process has, is not here.
///
/// ```
/// # ascendcl::example!(|acl| {
/// use ascendcl::SysParam;
///
/// acl.set_sys_param(SysParam::Deterministic, 1)?; // the same numbers in each run
/// assert_eq!(acl.sys_param(SysParam::Deterministic)?, 1);
/// # });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SysParam {
    /// Operators return the same numbers in each run; many are slower then (`ACL_OPT_DETERMINISTIC`): 0 no, 1 yes;
    /// the runtime accepts up to 3.
    Deterministic,
    /// Operators look for accesses beyond their memory (`ACL_OPT_ENABLE_DEBUG_KERNEL`): 0 no, 1 yes.
    DebugKernel,
    /// A result does not depend on its position in the tensor (`ACL_OPT_STRONG_CONSISTENCY`): 0 no, 1 yes; reserved.
    StrongConsistency,
}

impl SysParam {
    pub(crate) fn raw(self) -> sys::aclSysParamOpt {
        match self {
            SysParam::Deterministic => sys::ACL_OPT_DETERMINISTIC,
            SysParam::DebugKernel => sys::ACL_OPT_ENABLE_DEBUG_KERNEL,
            SysParam::StrongConsistency => sys::ACL_OPT_STRONG_CONSISTENCY,
        }
    }
}

impl Acl {
    /// Returns a parameter of the process (`aclrtGetSysParamOpt`, pyACL `acl.rt.get_sys_param_opt`): the value that
    /// was set last, for the process or for a context; 0 if none was set.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// use ascendcl::SysParam;
    ///
    /// assert_eq!(acl.sys_param(SysParam::Deterministic)?, 0); // never set
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    #[doc(alias = "aclrtGetSysParamOpt")]
    #[doc(alias = "acl.rt.get_sys_param_opt")]
    pub fn sys_param(&self, param: SysParam) -> Result<i64> {
        let mut value = 0;
        // SAFETY: `value` is valid for a write of an i64.
        let code = unsafe { sys::aclrtGetSysParamOpt(param.raw(), &raw mut value) };
        check("aclrtGetSysParamOpt", code)?;
        Ok(value)
    }

    /// Sets a parameter of the process (`aclrtSetSysParamOpt`, pyACL `acl.rt.set_sys_param_opt`). Contexts for which it
    /// was set before ([`Current::set_sys_param`](crate::Current::set_sys_param)) keep their value.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// use ascendcl::SysParam;
    ///
    /// acl.set_sys_param(SysParam::Deterministic, 1)?; // the same numbers in each run
    /// assert!(acl.set_sys_param(SysParam::Deterministic, 7).is_err());
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] with 107000 for a value that the [parameter](SysParam) does not have.
    #[doc(alias = "aclrtSetSysParamOpt")]
    #[doc(alias = "acl.rt.set_sys_param_opt")]
    pub fn set_sys_param(&self, param: SysParam, value: i64) -> Result<()> {
        // SAFETY: takes numbers.
        let code = unsafe { sys::aclrtSetSysParamOpt(param.raw(), value) };
        check("aclrtSetSysParamOpt", code)
    }
}
