//! The hook for failed tasks (`aclrtSetExceptionInfoCallback`).

use std::fmt;
use std::marker::PhantomData;
use std::sync::{Mutex, PoisonError};

use ascendcl_sys as sys;

use crate::callback::run_hook;
use crate::error::Result;
#[cfg(doc)]
use crate::error::{ErrorKind, Usage};
use crate::raw::check;
use crate::runtime::Acl;
use crate::state::NotSend;

/// A hook for failed tasks.
type Callback = fn(&ExceptionInfo<'_>);

/// The hook in use.
static CALLBACK: Mutex<Option<Callback>> = Mutex::new(None);

/// A failed task (`aclrtExceptionInfo`). The hook receives it for the time of the call.
///
/// ```
/// use ascendcl::callback::ExceptionInfo;
///
/// fn on_failed_task(info: &ExceptionInfo<'_>) {
///     eprintln!("a task has failed: {info:?}");
/// }
/// ```
pub struct ExceptionInfo<'a> {
    raw: *const sys::aclrtExceptionInfo,
    _told: PhantomData<(&'a (), NotSend)>,
}

impl Acl {
    /// Sets the hook that the runtime calls for each failed task, or removes it (`aclrtSetExceptionInfoCallback`,
    /// pyACL `acl.rt.set_exception_info_callback`).
    ///
    /// A process has one such hook. It borrows nothing; a counter or a collection for it is a `static`. The runtime
    /// may call it on several threads at once, so it is set before any device is opened. AscendCL cannot be used
    /// inside it ([`Usage::InHostFunc`]). A panic of the hook ends inside it.
    ///
    /// ```
    /// # #[cfg(feature = "emulator")]
    /// # fn main() -> ascendcl::Result<()> {
    /// let mut acl = ascendcl::Acl::from_env()?;
    /// acl.set_exception_info_callback(Some(|info| eprintln!("{info:?}")))?;
    /// # Ok(()) }
    /// # #[cfg(not(feature = "emulator"))]
    /// # fn main() {}
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    #[doc(alias = "aclrtSetExceptionInfoCallback")]
    #[doc(alias = "acl.rt.set_exception_info_callback")]
    pub fn set_exception_info_callback(
        &mut self,
        callback: Option<fn(&ExceptionInfo<'_>)>,
    ) -> Result<()> {
        let function: sys::aclrtExceptionInfoCallback = match callback {
            Some(_) => Some(tell),
            None => None,
        };
        // SAFETY: the function is there as long as the process.
        let code = unsafe { sys::aclrtSetExceptionInfoCallback(function) };
        check("aclrtSetExceptionInfoCallback", code)?;
        *CALLBACK.lock().unwrap_or_else(PoisonError::into_inner) = callback;
        Ok(())
    }
}

/// The function that the runtime calls.
///
/// # Safety
///
/// `info` is what the getters take, until this returns.
unsafe extern "C" fn tell(info: *mut sys::aclrtExceptionInfo) {
    // A copy: nothing runs under the lock.
    let callback = *CALLBACK.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(callback) = callback {
        let info = ExceptionInfo {
            raw: info,
            _told: PhantomData,
        };
        run_hook(|| callback(&info));
    }
}

/// Defines getters, which answer with 0xFFFFFFFF where there is nothing to say.
macro_rules! getters {
    ($( $(#[$meta:meta])* $name:ident by $function:ident; )*) => { $(
        $(#[$meta])*
        #[must_use]
        pub fn $name(&self) -> Option<u32> {
            // SAFETY: the runtime tells of this task (`tell`), on this thread.
            let value = unsafe { sys::$function(self.raw) };
            (value != u32::MAX).then_some(value)
        }
    )* };
}

impl ExceptionInfo<'_> {
    getters! {
        /// The id of the task (`aclrtGetTaskIdFromExceptionInfo`, pyACL `acl.rt.get_task_id_from_exception_info`).
        #[doc(alias = "aclrtGetTaskIdFromExceptionInfo")]
        task_id by aclrtGetTaskIdFromExceptionInfo;
        /// The id of the task's stream (`aclrtGetStreamIdFromExceptionInfo`, pyACL
        /// `acl.rt.get_stream_id_from_exception_info`).
        #[doc(alias = "aclrtGetStreamIdFromExceptionInfo")]
        stream_id by aclrtGetStreamIdFromExceptionInfo;
        /// The id of the task's device (`aclrtGetDeviceIdFromExceptionInfo`, pyACL
        /// `acl.rt.get_device_id_from_exception_info`).
        #[doc(alias = "aclrtGetDeviceIdFromExceptionInfo")]
        device_id by aclrtGetDeviceIdFromExceptionInfo;
        /// The status code of the failure (`aclrtGetErrorCodeFromExceptionInfo`, pyACL
        /// `acl.rt.get_error_code_from_exception_info`).
        #[doc(alias = "aclrtGetErrorCodeFromExceptionInfo")]
        error_code by aclrtGetErrorCodeFromExceptionInfo;
    }
}

impl fmt::Debug for ExceptionInfo<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExceptionInfo")
            .field("device_id", &self.device_id())
            .field("stream_id", &self.stream_id())
            .field("task_id", &self.task_id())
            .field("error_code", &self.error_code())
            .finish_non_exhaustive()
    }
}
