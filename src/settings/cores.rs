//! How many cores work may use: of a device, and of a stream.

use std::cell::Cell;

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::{AnyDevice, Device};
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Result, Usage};
use crate::raw::{check, check_device};
use crate::release;
use crate::settings::c_id;
use crate::stream::{AnyStream, Stream};

/// A kind of core, whose number can be limited (`aclrtDevResLimitType`).
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// use ascendcl::settings::CoreKind;
///
/// let cores = current.res_limit(CoreKind::Vector)?;
/// println!("work of this thread may use {cores} vector cores");
/// # });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CoreKind {
    /// Cores that multiply matrices (`ACL_RT_DEV_RES_CUBE_CORE`).
    Cube,
    /// Cores for vectors (`ACL_RT_DEV_RES_VECTOR_CORE`).
    Vector,
}

impl CoreKind {
    fn raw(self) -> sys::aclrtDevResLimitType {
        match self {
            CoreKind::Cube => sys::ACL_RT_DEV_RES_CUBE_CORE,
            CoreKind::Vector => sys::ACL_RT_DEV_RES_VECTOR_CORE,
        }
    }

    /// A limit of 0 cores is refused for a device and taken for a stream (observed, CANN runtime 1.17), whose operators have nothing
    /// to run on then.
    #[inline]
    fn at_least_one(self, cores: u32) -> Result<()> {
        if cores == 0 {
            return Err(Usage::NoCores {
                kind: format!("{self:?}"),
            }
            .into());
        }
        Ok(())
    }
}

impl<D> Device<'_, D> {
    /// Limits the cores of one kind that the work of this process may use on the device (`aclrtSetDeviceResLimit`).
    ///
    /// AscendCL reads the limit when an operator is prepared, so it comes before the first one. This does not compile while a
    /// stream, a buffer or a binding of the device is alive.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// # let mut thread = Thread::claim()?;
    /// use ascendcl::settings::CoreKind;
    ///
    /// let mut device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    /// device.set_res_limit(CoreKind::Vector, 16)?;
    /// assert_eq!(device.res_limit(CoreKind::Vector)?, 16);
    /// device.reset_res_limit()?; // all cores again
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::NoCores`] for 0, and [`ErrorKind::Refused`] with 107000 for more cores than the device has; the limit stays as it
    /// was then. [`ErrorKind::Backend`] when an older CANN lacks the function.
    #[doc(alias = "aclrtSetDeviceResLimit")]
    pub fn set_res_limit(&mut self, kind: CoreKind, cores: u32) -> Result<()> {
        kind.at_least_one(cores)?;
        let id = c_id(self.id())?;
        // SAFETY: takes numbers.
        let code = unsafe { sys::aclrtSetDeviceResLimit(id, kind.raw(), cores) };
        check_device("aclrtSetDeviceResLimit", self.id(), code)
    }

    /// Returns how many cores of one kind the work of this process may use on the device (`aclrtGetDeviceResLimit`).
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// # let mut thread = Thread::claim()?;
    /// # use ascendcl::settings::CoreKind;
    /// let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    /// assert!(device.res_limit(CoreKind::Cube)? > 0);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`], and [`ErrorKind::Backend`] when an older CANN lacks the function.
    #[doc(alias = "aclrtGetDeviceResLimit")]
    pub fn res_limit(&self, kind: CoreKind) -> Result<u32> {
        let id = c_id(self.id())?;
        let mut cores = 0;
        // SAFETY: `cores` is valid for a write of a u32.
        let code = unsafe { sys::aclrtGetDeviceResLimit(id, kind.raw(), &raw mut cores) };
        check_device("aclrtGetDeviceResLimit", self.id(), code)?;
        Ok(cores)
    }

    /// Takes the limits of [`Device::set_res_limit`] back (`aclrtResetDeviceResLimit`).
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// # let mut thread = Thread::claim()?;
    /// # let mut device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    /// device.reset_res_limit()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Device::res_limit`].
    #[doc(alias = "aclrtResetDeviceResLimit")]
    pub fn reset_res_limit(&mut self) -> Result<()> {
        let id = c_id(self.id())?;
        // SAFETY: takes a number.
        let code = unsafe { sys::aclrtResetDeviceResLimit(id) };
        check_device("aclrtResetDeviceResLimit", self.id(), code)
    }
}

impl<D: AnyDevice> Current<'_, '_, D> {
    /// Returns how many cores of one kind the work of this thread may use (`aclrtGetResInCurrentThread`): inside
    /// [`Stream::with_res_limit`] those of the stream, else those of the device.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::settings::CoreKind;
    ///
    /// stream.with_res_limit(&[(CoreKind::Cube, 4)], |_stream| {
    ///     assert_eq!(current.res_limit(CoreKind::Cube)?, 4);
    ///     Ok(())
    /// })?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Device::res_limit`].
    #[doc(alias = "aclrtGetResInCurrentThread")]
    pub fn res_limit(self, kind: CoreKind) -> Result<u32> {
        let mut cores = 0;
        // SAFETY: `cores` is valid for a write of a u32.
        let code = unsafe { sys::aclrtGetResInCurrentThread(kind.raw(), &raw mut cores) };
        check("aclrtGetResInCurrentThread", code)?;
        Ok(cores)
    }
}

impl<D: AnyDevice, S: AnyStream> Stream<'_, '_, D, S> {
    /// Runs `f` while the work that this thread prepares uses limited numbers of cores (`aclrtSetStreamResLimit`,
    /// `aclrtUseStreamResInCurrentThread`, `aclrtUnuseStreamResInCurrentThread`).
    ///
    /// AscendCL reads the limits when an operator is prepared, so make its plan inside `f`. They hold for all that this
    /// thread prepares inside `f`, also for other streams, and end with `f`, also when it panics. Inside another
    /// `with_res_limit` the inner one applies until it ends.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op;
    /// use ascendcl::settings::CoreKind;
    ///
    /// let x = stream.memset_async(stream.malloc::<f32>(4)?, 0)?;
    /// let x = x.tensor(&[4])?;
    /// let out = stream.malloc(4)?.into_tensor(&[4])?;
    /// let sum = stream.with_res_limit(&[(CoreKind::Cube, 8), (CoreKind::Vector, 16)], |stream| {
    ///     Ok(op::add(current, &x, &x, 1.0, out)?.launch(stream)?.into_output())
    /// })?;
    /// # stream.synchronize()?.take(sum);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// - [`Usage::NoCores`] for 0, and [`ErrorKind::Refused`] with 107000 for more cores than the device has; `f` does not run then.
    ///   [`ErrorKind::Backend`] when an older CANN lacks the functions.
    /// - The error of `f`. If a limit cannot be taken back then, the [hook for failed releases](crate::on_release_failure)
    ///   gets that error.
    /// - The error of taking a limit back. The value of `f` is dropped then.
    #[doc(alias = "aclrtSetStreamResLimit")]
    #[doc(alias = "aclrtUseStreamResInCurrentThread")]
    #[doc(alias = "aclrtUnuseStreamResInCurrentThread")]
    pub fn with_res_limit<R>(
        &mut self,
        limits: &[(CoreKind, u32)],
        f: impl FnOnce(&mut Self) -> Result<R>,
    ) -> Result<R> {
        let mut limited = Limited::begin(self.as_raw(), limits)?;
        let result = f(self);
        let ended = limited.end();
        match result {
            Ok(value) => ended.map(|()| value),
            Err(error) => {
                release::in_drop(ended);
                Err(error)
            }
        }
    }

    /// Returns how many cores of one kind the work of the stream may use (`aclrtGetStreamResLimit`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # use ascendcl::settings::CoreKind;
    /// assert!(stream.res_limit(CoreKind::Cube)? > 0); // without a limit of its own, that of the device
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Device::res_limit`].
    #[doc(alias = "aclrtGetStreamResLimit")]
    pub fn res_limit(&self, kind: CoreKind) -> Result<u32> {
        of_stream(self.as_raw(), kind)
    }
}

/// The limit of a live stream of the current context.
fn of_stream(stream: sys::aclrtStream, kind: CoreKind) -> Result<u32> {
    let mut cores = 0;
    // SAFETY: the stream is a live one, and `cores` is valid for a write of a u32.
    let code = unsafe { sys::aclrtGetStreamResLimit(stream, kind.raw(), &raw mut cores) };
    check("aclrtGetStreamResLimit", code)?;
    Ok(cores)
}

thread_local! {
    /// The stream whose limits this thread uses. Its `with_res_limit` has not returned, so it lives.
    static IN_USE: Cell<Option<sys::aclrtStream>> = const { Cell::new(None) };
}

/// The limits of a stream that this thread uses. The stream is borrowed as long as this value lives, which stays inside
/// [`Stream::with_res_limit`].
struct Limited {
    stream: sys::aclrtStream,
    /// What the limits were, the latest change last.
    before: Vec<(CoreKind, u32)>,
    /// The stream in use before, once this one is in use.
    outer: Option<Option<sys::aclrtStream>>,
}

impl Limited {
    fn begin(stream: sys::aclrtStream, limits: &[(CoreKind, u32)]) -> Result<Limited> {
        let mut limited = Limited {
            stream,
            before: Vec::with_capacity(limits.len()),
            outer: None,
        };
        for &(kind, cores) in limits {
            kind.at_least_one(cores)?;
            let before = of_stream(stream, kind)?;
            limited.set(kind, cores)?;
            limited.before.push((kind, before));
        }
        limited.use_in_thread(stream)?;
        limited.outer = Some(IN_USE.replace(Some(stream)));
        Ok(limited)
    }

    fn set(&self, kind: CoreKind, cores: u32) -> Result<()> {
        // SAFETY: a live stream of the current context.
        let code = unsafe { sys::aclrtSetStreamResLimit(self.stream, kind.raw(), cores) };
        check("aclrtSetStreamResLimit", code)
    }

    fn use_in_thread(&self, stream: sys::aclrtStream) -> Result<()> {
        // SAFETY: a live stream of the current context, whose limits are set.
        let code = unsafe { sys::aclrtUseStreamResInCurrentThread(stream) };
        check("aclrtUseStreamResInCurrentThread", code)
    }

    /// Takes the limits back, all of them, and returns the first failure.
    fn end(&mut self) -> Result<()> {
        let mut ended = Ok(());
        if let Some(outer) = self.outer.take() {
            IN_USE.set(outer);
            ended = match outer {
                Some(outer) => self.use_in_thread(outer),
                None => {
                    // SAFETY: a live stream of the current context.
                    let code = unsafe { sys::aclrtUnuseStreamResInCurrentThread(self.stream) };
                    check("aclrtUnuseStreamResInCurrentThread", code)
                }
            };
        }
        while let Some((kind, cores)) = self.before.pop() {
            ended = ended.and(self.set(kind, cores));
        }
        ended
    }
}

impl Drop for Limited {
    fn drop(&mut self) {
        release::in_drop(self.end());
    }
}
