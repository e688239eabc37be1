//! A device for the length of a closure: the short road for programs of one device and one thread.

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
    /// It makes the calls of [`Thread::claim`], [`Acl::set_device`], [`Thread::set_current`] and [`Device::reset`], and
    /// no other. Use those where several threads share a device, where one thread changes between devices, or where the
    /// device outlives a function.
    ///
    /// What `f` allocates and creates ends with `f`: no stream, buffer or `Current` can be returned. The device is reset
    /// also when `f` fails or panics. Work that `f` has left behind by [`mem::forget`](std::mem::forget) is waited for.
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
    /// `f` returns the error type of this crate. A function with another one goes in as the value of `f`:
    /// `acl.on::<Npu<0>, _>(0, |current| Ok(work(current)))??`.
    ///
    /// # Errors
    ///
    /// - [`Usage::ThreadClaimed`] where the thread has a `Thread` already, also inside another `on`; and
    ///   [`Usage::InHostFunc`] inside a [function that the runtime calls](crate::callback).
    /// - [`Usage::SlotTaken`] and [`Usage::DeviceTaken`] when the name or the card is in use, and
    ///   [`ErrorKind::Refused`] with 107001 for an id that does not exist. In these cases `f` has not run.
    /// - The error of `f`. If the reset fails too, the [hook for failed releases](crate::on_release_failure) gets that
    ///   error.
    /// - The error of [`Device::reset`]. The value of `f` is dropped then.
    #[doc(alias = "aclrtSetDevice")]
    #[doc(alias = "acl.rt.set_device")]
    pub fn on<D: NamedDevice, R>(
        &self,
        id: u32,
        f: impl for<'on> FnOnce(Current<'on, 'on, D>) -> Result<R>,
    ) -> Result<R> {
        let mut thread = Thread::claim()?;
        let device = self.set_device::<D>(&mut thread, id)?;
        // One lifetime for both borrows, so that what escapes is one error of the compiler.
        let value = f(thread.set_current(&device)?)?;
        device.reset()?;
        Ok(value)
    }
}
