//! The calling thread and its current context (`acl/acl_rt.h`; manual chapter 05).
//!
//! AscendCL keeps the current context per thread, and most calls use it without an argument. Here it is a value:
//! [`Thread`] is the right to change the current context, and [`Current`] is the proof that a context is current.
//! While a `Current` (or a stream made from it) is used, the `Thread` stays borrowed. So the use of an outdated
//! `Current` does not compile.

mod explicit;
mod on;
mod visit;

use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::Arc;

use ascendcl_sys as sys;

pub use explicit::Context;

use crate::device::{AnyDevice, Core, Device, behind_captures, wait_for_proof};
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Error, Result, Usage};
use crate::outcome::FailureMode;
use crate::raw::{check, in_host_func, is_time_limit, note_device};
use crate::release;
use crate::runtime::SysParam;
use crate::state::{Bound, NotSend};

thread_local! {
    static CLAIMED: Cell<bool> = const { Cell::new(false) };
    /// The device that this thread is bound to. A release reads it when the handle alone is not enough.
    static BOUND_CORE: Cell<*const Core> = const { Cell::new(core::ptr::null()) };
}

/// The right to choose the current context of the calling thread. Each thread has one, and it cannot be sent to
/// another thread.
///
/// ```
/// # fn main() -> ascendcl::Result<()> {
/// # #[cfg(feature = "emulator")] {
/// use ascendcl::{Acl, Npu, Thread};
///
/// let acl = Acl::from_env()?;
/// let mut thread = Thread::claim()?;
/// let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
/// let current = thread.set_current(&device)?; // borrows `thread`: one binding at a time
/// current.malloc::<f32>(16)?.free()?;
/// # } Ok(()) }
/// ```
#[derive(Debug)]
pub struct Thread {
    _not_send: NotSend,
}

impl Thread {
    /// Claims the calling thread.
    ///
    /// ```
    /// # fn main() -> ascendcl::Result<()> {
    /// # #[cfg(feature = "emulator")] {
    /// use ascendcl::{Acl, Npu, Thread};
    ///
    /// let acl = Acl::from_env()?;
    /// let mut thread = Thread::claim()?;
    /// assert!(Thread::claim().is_err()); // one for each thread
    /// let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    /// device.reset()?;
    /// # } Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::ThreadClaimed`] while another `Thread` of this thread lives, and [`Usage::InHostFunc`] inside a
    /// [function that the runtime calls](crate::callback).
    pub fn claim() -> Result<Thread> {
        if in_host_func() {
            return Err(Usage::InHostFunc.into());
        }
        if CLAIMED.replace(true) {
            return Err(Usage::ThreadClaimed.into());
        }
        Ok(Thread {
            _not_send: PhantomData,
        })
    }

    /// Makes `device` current on this thread (`aclrtSetCurrentContext`, pyACL `acl.rt.set_current_context`).
    ///
    /// The result has the methods that create values and the blocking calls. It ends when the thread is bound to
    /// another device.
    ///
    /// ```
    /// # fn main() -> ascendcl::Result<()> {
    /// # #[cfg(feature = "emulator")] {
    /// use ascendcl::{Acl, Npu, Thread};
    ///
    /// let acl = Acl::from_env()?;
    /// let mut thread = Thread::claim()?;
    /// let first = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    /// let second = acl.set_device::<Npu<1>>(&mut thread, 1)?;
    /// thread.set_current(&first)?.malloc::<f32>(16)?.free()?;
    /// thread.set_current(&second)?.malloc::<f32>(16)?.free()?; // the first binding has ended
    /// second.reset()?;
    /// first.reset()?;
    /// # } Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] with 107000 when other code has reset the device.
    #[doc(alias = "aclrtSetCurrentContext")]
    #[doc(alias = "acl.rt.set_current_context")]
    pub fn set_current<'t, 'dev, D: AnyDevice>(
        &'t mut self,
        device: &'dev Device<'_, D>,
    ) -> Result<Current<'t, 'dev, D>> {
        self.bind(device.core())
    }

    /// Makes the context of `core` current.
    fn bind<'t, 'dev, D: AnyDevice>(
        &'t mut self,
        core: &'dev Arc<Core>,
    ) -> Result<Current<'t, 'dev, D>> {
        // SAFETY: the context is retained while its handle is borrowed.
        let code = unsafe { sys::aclrtSetCurrentContext(core.context().as_ptr()) };
        check("aclrtSetCurrentContext", code)?;
        BOUND_CORE.set(Arc::as_ptr(core));
        note_device(Some(core.id()));
        Ok(Current {
            core,
            _binding: PhantomData,
        })
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        CLAIMED.set(false);
    }
}

/// Proof that the context `D` is current on this thread: the default context of a device, or an explicit context.
///
/// It is a small value that can be copied. Its methods allocate memory, create streams, make plans and copy memory.
///
/// ```
/// use ascendcl::{Current, DeviceTag, HostSide, Result};
///
/// // Functions that use a device take the `Current` by value. `D` stands for any device.
/// fn round_trip<D: DeviceTag>(current: Current<'_, '_, D>, host: HostSide<'_>) -> Result<Vec<f32>> {
///     let mut numbers = current.malloc_host_from(host, &[1.0, 2.0])?;
///     let on_device = current.memcpy(current.malloc(2)?, &numbers)?;
///     current.memcpy(&mut numbers, &on_device)?;
///     Ok(numbers.to_vec())
/// }
/// ```
///
/// # Invariants
///
/// While a value with the lifetime `'t` is usable, the context of `core` is current on this thread and `BOUND_CORE`
/// points to `core`. Only [`Thread::set_current`] and [`Acl::set_device`](crate::Acl::set_device) change one of them,
/// and both need the `Thread` that `'t` borrows mutably.
#[derive(Debug)]
pub struct Current<'t, 'dev, D: AnyDevice> {
    core: &'dev Arc<Core>,
    _binding: Bound<'t, D>,
}

impl<D: AnyDevice> Clone for Current<'_, '_, D> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<D: AnyDevice> Copy for Current<'_, '_, D> {}

impl<'dev, D: AnyDevice> Current<'_, 'dev, D> {
    pub(crate) fn core(self) -> &'dev Arc<Core> {
        self.core
    }

    /// Waits until every stream of this context is idle (`aclrtSynchronizeDevice`, pyACL
    /// `acl.rt.synchronize_device`).
    ///
    /// A wait of another thread for a stream of this device returns behind this one: the runtime may give the report of a
    /// failure to either of them.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let buf = stream.adopt(current.malloc::<u8>(4)?);
    /// drop(stream.memset_async(buf, 0)?); // parked, because the stream still writes it
    /// current.synchronize_device()?; // frees it
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Wait`] when a queued task failed. The runtime reports each failure once, and the failed task may
    /// belong to any stream. So afterwards no stream of the device can be synchronised; a stream can only be
    /// [drained](crate::Stream::drain). [`Usage::HostFuncPanicked`] when a host function has panicked. Also the error
    /// of any other failure that was not returned yet. [`ErrorKind::Refused`] with 107027 while a stream of the context is
    /// captured, by any code of the process; nothing is spoilt then.
    #[doc(alias = "aclrtSynchronizeDevice")]
    #[doc(alias = "acl.rt.synchronize_device")]
    pub fn synchronize_device(self) -> Result<()> {
        // The context of `core` is current (invariant of `Current`).
        self.core.wait_and_release()?;
        self.core.ledger().tell(None)
    }

    /// Returns a parameter of this context (`aclrtCtxGetSysParamOpt`, pyACL `acl.rt.ctx_get_sys_param_opt`).
    ///
    /// `None` means that the parameter was never set in this context. The parameter of the process
    /// ([`Acl::sys_param`](crate::Acl::sys_param)) applies then.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::SysParam;
    ///
    /// current.set_sys_param(SysParam::Deterministic, 1)?;
    /// assert_eq!(current.sys_param(SysParam::Deterministic)?, Some(1));
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    #[doc(alias = "aclrtCtxGetSysParamOpt")]
    #[doc(alias = "acl.rt.ctx_get_sys_param_opt")]
    pub fn sys_param(self, param: SysParam) -> Result<Option<i64>> {
        let mut value = 0;
        // SAFETY: `value` is valid for a write of an i64.
        let code = unsafe { sys::aclrtCtxGetSysParamOpt(param.raw(), &raw mut value) };
        let read = check("aclrtCtxGetSysParamOpt", code);
        if code == sys::ACL_ERROR_RT_SYSPARAMOPT_NOT_SET {
            // The code is an answer and no failure. `check` has removed the error text that belongs to it.
            return Ok(None);
        }
        read?;
        Ok(Some(value))
    }

    /// Sets a parameter of this context (`aclrtCtxSetSysParamOpt`, pyACL `acl.rt.ctx_set_sys_param_opt`).
    ///
    /// The call also sets the parameter of the process, which applies in all contexts that have set none (observed,
    /// CANN runtime 1.17).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::SysParam;
    ///
    /// assert_eq!(current.sys_param(SysParam::Deterministic)?, None); // never set
    /// current.set_sys_param(SysParam::Deterministic, 1)?;
    /// assert_eq!(current.sys_param(SysParam::Deterministic)?, Some(1));
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] with 107000 for a value that the [parameter](SysParam) does not allow.
    #[doc(alias = "aclrtCtxSetSysParamOpt")]
    #[doc(alias = "acl.rt.ctx_set_sys_param_opt")]
    pub fn set_sys_param(self, param: SysParam, value: i64) -> Result<()> {
        // SAFETY: takes numbers; a context is current.
        let code = unsafe { sys::aclrtCtxSetSysParamOpt(param.raw(), value) };
        check("aclrtCtxSetSysParamOpt", code)
    }
}

impl<D: AnyDevice> Current<'_, '_, D> {
    /// Returns the error of a blocking call that returned `code`. The call has used memory that the caller is about
    /// to get back. A failed call is over, unless its time limit was exceeded; then this function waits for its work.
    #[inline(always)]
    pub(crate) fn blocking_failed(self, call: &'static str, code: sys::aclError) -> Error {
        Self::failed_here(self._binding, call, code)
    }

    /// The binding alone identifies the device, so the success path stores nothing for a failure.
    #[cold]
    #[inline(never)]
    fn failed_here(_binding: Bound<'_, D>, call: &'static str, code: sys::aclError) -> Error {
        let error = Error::refused(call, code);
        if is_time_limit(code) {
            // SAFETY: the binding of a `Current` of this thread.
            unsafe { with_bound(|core| wait_behind_a_time_limit(core, D::Mode::STOPS)) };
        }
        error
    }
}

/// Waits for the device, because a blocking call may still run. A context that has stopped on a failure returns this
/// failure for each wait, and runs nothing more. In all other cases the process ends if no wait succeeds.
///
/// The caller returns the error of its own call. So a failure of queued work stays in the ledger, for the next wait.
fn wait_behind_a_time_limit(core: &Core, stops: bool) {
    let waited = wait_for_proof(&mut behind_captures(&mut || core.wait_to_release()));
    let failed = match waited {
        // A device that is late has not stopped.
        Err(first) if stops && !first.is_late() => None,
        Err(first) => release::abort(&first),
        Ok(failed) => failed,
    };
    if let Some(failure) = failed {
        core.ledger().keep_for_any(failure);
    }
}

/// Runs `f` on the device that this thread is bound to.
///
/// # Safety
///
/// - The caller holds a value that a [`Current`] of this thread made. The value borrows the binding of that
///   `Current`, so `BOUND_CORE` points to a live `Core`.
#[inline]
pub(crate) unsafe fn with_bound<R>(f: impl FnOnce(&Core) -> R) -> R {
    // SAFETY: by the caller's contract, the invariant of `Current` holds.
    f(unsafe { &*BOUND_CORE.get() })
}
