//! [`Acl::on`]: a device for the duration of a closure, for programs with one device and one thread.

use std::sync::Arc;
use std::time::Duration;

use crate::context::{Current, Thread};
#[cfg(doc)]
use crate::device::Device;
use crate::device::NamedDevice;
use crate::error::Result;
#[cfg(doc)]
use crate::error::{ErrorKind, Usage};
use crate::runtime::Acl;

impl Acl {
    /// Takes a device into use, binds the calling thread to it, runs `f`, and resets the device (`aclrtSetDevice`,
    /// `aclrtSetCurrentContext`, `aclrtResetDevice`).
    ///
    /// It makes the calls of [`Thread::claim`], [`Acl::set_device`], [`Thread::set_current`] and [`Device::reset`],
    /// and no other call. Use those functions when several threads share a device, when one thread changes between
    /// devices, or when the device lives longer than one function.
    ///
    /// The values that `f` allocates and creates end with `f`: no stream, buffer or `Current` can be returned. The
    /// device is reset also when `f` fails or panics. Work that `f` has left queued by
    /// [`mem::forget`](std::mem::forget) is waited for.
    ///
    /// ```
    /// # #[cfg(feature = "emulator")]
    /// fn main() -> ascendcl::Result<()> {
    ///     use ascendcl::{Acl, Npu};
    ///
    ///     let acl = Acl::from_env()?;
    ///     let host = acl.host()?;
    ///     let sum: u32 = acl.on::<Npu<0>, _>(0, |current| {
    ///         let mut numbers = current.malloc_host_from(host, &[1, 2, 3])?;
    ///         let on_device = current.memcpy(current.malloc(3)?, &numbers)?;
    ///         numbers.fill(0);
    ///         current.memcpy(&mut numbers, &on_device)?;
    ///         Ok(numbers.iter().sum())
    ///     })?;
    ///     assert_eq!(sum, 6);
    ///     Ok(())
    /// }
    /// # #[cfg(not(feature = "emulator"))]
    /// # fn main() {}
    /// ```
    ///
    /// `f` returns the error type of this crate. A function with another error type is passed as the value of `f`:
    /// `acl.on::<Npu<0>, _>(0, |current| Ok(work(current)))??`.
    ///
    /// # Errors
    ///
    /// - [`Usage::ThreadClaimed`] when the thread has a `Thread` already, also inside another `on`.
    ///   [`Usage::InHostFunc`] inside a [function that the runtime calls](crate::callback). `f` does not run in these
    ///   cases.
    /// - [`Usage::SlotTaken`] when the name is in use, [`Usage::DeviceTaken`] when the card is in use, and
    ///   [`ErrorKind::Refused`] with 107001 for an id that does not exist. `f` does not run in these cases.
    /// - The error of `f`. If the reset fails too, the [hook for failed releases](crate::on_release_failure) gets the
    ///   error of the reset.
    /// - The error of [`Device::reset`]. The value of `f` is dropped then.
    /// - [`ErrorKind::Wait`], [`Usage::StreamPoisoned`] or [`Usage::HostFuncPanicked`] when work of the device has
    ///   failed, and no wait has returned the failure: its stream was dropped or forgotten. The hook for failed
    ///   releases gets the error too. The value of `f` is dropped then.
    #[doc(alias = "aclrtSetDevice")]
    #[doc(alias = "acl.rt.set_device")]
    pub fn on<D: NamedDevice, R>(
        &self,
        id: u32,
        f: impl for<'on> FnOnce(Current<'on, 'on, D>) -> Result<R>,
    ) -> Result<R> {
        self.run_on(id, None, f)
    }

    /// Runs a program on a device as [`Acl::on`] does, with a limit for each wait that a release makes
    /// ([`Device::release_within`](crate::Device::release_within)). So the call returns after `f`, also if the device hangs.
    ///
    /// ```
    /// # fn main() -> ascendcl::Result<()> {
    /// # #[cfg(feature = "emulator")] {
    /// use std::time::Duration;
    ///
    /// use ascendcl::{Acl, Npu, stream::Main};
    ///
    /// let acl = Acl::from_env()?;
    /// let limit = Duration::from_secs(5);
    /// acl.on_within::<Npu<0>, _>(0, limit, |current| {
    ///     let mut stream = current.create_stream::<Main>()?;
    ///     let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
    ///     stream.synchronize_within(limit)?.take(zeros).free()
    /// })?;
    /// # } Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Acl::on`]. [`Usage::Aborted`] when the work of a stream was dropped, because it did not end in time, and
    /// [`Usage::Late`] when the device did not end it after that: the device ends later then, and until it has, another call
    /// for it is [`Usage::DeviceEnding`].
    pub fn on_within<D: NamedDevice, R>(
        &self,
        id: u32,
        limit: Duration,
        f: impl for<'on> FnOnce(Current<'on, 'on, D>) -> Result<R>,
    ) -> Result<R> {
        self.run_on(id, Some(limit), f)
    }

    pub(crate) fn run_on<D: NamedDevice, R>(
        &self,
        id: u32,
        limit: Option<Duration>,
        f: impl for<'on> FnOnce(Current<'on, 'on, D>) -> Result<R>,
    ) -> Result<R> {
        let mut thread = Thread::claim()?;
        let mut device = self.set_device::<D>(&mut thread, id)?;
        if let Some(limit) = limit {
            device = device.release_within(limit)?;
        }
        // Both borrows have one lifetime, so a value that escapes gives a single error of the compiler.
        let value = f(thread.set_current(&device)?)?;
        let core = Arc::clone(device.core());
        device.reset()?;
        core.ledger().take_hook_only()?;
        Ok(value)
    }
}
