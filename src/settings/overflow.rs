//! Overflow of floating-point numbers: what a result is then, and whether there was one.

use ascendcl_sys as sys;

use crate::context::{Current, Thread};
use crate::device::{AnyDevice, Device};
use crate::error::Result;
#[cfg(doc)]
use crate::error::{ErrorKind, Usage};
use crate::memory::{Destination, Elements, Operand};
use crate::queue::Fillable;
use crate::raw::check;
use crate::state::Sealed;
use crate::stream::{AnyStream, Stream};

/// What a floating-point result that is too large becomes (`aclrtFloatOverflowMode`).
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// use ascendcl::settings::FloatOverflowMode;
///
/// match current.sat_mode()? {
///     FloatOverflowMode::Saturation => println!("large results are the largest number"),
///     FloatOverflowMode::InfNan => println!("large results are infinite"),
/// }
/// # });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FloatOverflowMode {
    /// The largest number of its type; not a number becomes 0 (`ACL_RT_OVERFLOW_MODE_SATURATION`).
    Saturation,
    /// Infinite, as in IEEE 754 (`ACL_RT_OVERFLOW_MODE_INFNAN`).
    InfNan,
}

impl<D: AnyDevice> Device<'_, D> {
    /// Chooses what a floating-point result that is too large becomes (`aclrtSetDeviceSatMode`, pyACL
    /// `acl.rt.set_device_sat_mode`), for the streams that are created from then on.
    ///
    /// The call makes the device current on this thread first. It does not compile while a stream of the device is alive,
    /// which would stay as it is. The default stream exists with the device, and stays as it is.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// # let mut thread = Thread::claim()?;
    /// use ascendcl::settings::FloatOverflowMode;
    /// use ascendcl::stream::Main;
    ///
    /// let mut device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    /// device.set_sat_mode(&mut thread, FloatOverflowMode::InfNan)?;
    /// let stream = thread.set_current(&device)?.create_stream::<Main>()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] where the product has one mode only, and as for [`Thread::set_current`].
    #[doc(alias = "aclrtSetDeviceSatMode")]
    #[doc(alias = "acl.rt.set_device_sat_mode")]
    pub fn set_sat_mode(&mut self, thread: &mut Thread, mode: FloatOverflowMode) -> Result<()> {
        let _current = thread.set_current(self)?;
        let mode = match mode {
            FloatOverflowMode::Saturation => sys::ACL_RT_OVERFLOW_MODE_SATURATION,
            FloatOverflowMode::InfNan => sys::ACL_RT_OVERFLOW_MODE_INFNAN,
        };
        // SAFETY: takes a number; the context of the device is current.
        let code = unsafe { sys::aclrtSetDeviceSatMode(mode) };
        check("aclrtSetDeviceSatMode", code)
    }
}

impl<D: AnyDevice> Current<'_, '_, D> {
    /// Returns what a floating-point result that is too large becomes on new streams (`aclrtGetDeviceSatMode`, pyACL
    /// `acl.rt.get_device_sat_mode`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// println!("{:?}", current.sat_mode()?);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    #[doc(alias = "aclrtGetDeviceSatMode")]
    #[doc(alias = "acl.rt.get_device_sat_mode")]
    pub fn sat_mode(self) -> Result<FloatOverflowMode> {
        let mut mode = sys::ACL_RT_OVERFLOW_MODE_UNDEF;
        // SAFETY: `mode` is valid for a write of the enumeration's integer.
        let code = unsafe { sys::aclrtGetDeviceSatMode(&raw mut mode) };
        check("aclrtGetDeviceSatMode", code)?;
        Ok(if mode == sys::ACL_RT_OVERFLOW_MODE_SATURATION {
            FloatOverflowMode::Saturation
        } else {
            FloatOverflowMode::InfNan
        })
    }
}

/// The bytes of the overflow status.
const STATUS: usize = 64;

/// Memory that the overflow status can be written to.
#[diagnostic::on_unimplemented(
    message = "the overflow status cannot be written to `{Self}` memory",
    label = "AscendCL writes it to device memory",
    note = "allocate it there, `stream.malloc_as::<[u8; 64]>()?`, and copy the status to the host"
)]
pub trait StatusPlace: Sealed {}
#[diagnostic::do_not_recommend]
impl<M: Operand + Sealed> StatusPlace for M {}

/// Elements that are as long as the overflow status.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the 64 bytes of the overflow status",
    label = "AscendCL writes 64 bytes, whatever the length of the memory",
    note = "allocate it with that length: `stream.malloc_as::<[u8; 64]>()?`"
)]
pub trait StatusBytes: Elements + Sealed {}
#[diagnostic::do_not_recommend]
impl StatusBytes for [u8; STATUS] {}

impl<D: AnyDevice, S: AnyStream> Stream<'_, '_, D, S> {
    /// Queues a copy of the overflow status of the device to device memory of 64 bytes (`aclrtGetOverflowStatus`, pyACL
    /// `acl.rt.get_overflow_status`). It is that of the work of all streams; all bytes are 0 if nothing has overflown.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// stream.reset_overflow_status()?;
    /// let status = stream.malloc_as::<[u8; 64]>()?;
    /// let status = stream.overflow_status(status)?; // behind the work so far
    /// let status = stream.memcpy_async(stream.malloc_host_as::<[u8; 64]>(host)?, &status)?;
    /// let status = stream.synchronize()?.take(status);
    /// assert!(status.iter().all(|byte| *byte == 0));
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] when AscendCL does not queue the copy. A fresh destination is parked then: it is freed after a
    /// later successful wait for the stream.
    #[doc(alias = "aclrtGetOverflowStatus")]
    #[doc(alias = "acl.rt.get_overflow_status")]
    pub fn overflow_status<T>(&mut self, destination: T) -> Result<T::Written>
    where
        T: Destination<(D, S), Elements: StatusBytes, Place: StatusPlace, Origin: Fillable>,
    {
        let to = destination.destination().as_ptr().cast();
        // SAFETY: a live stream of the current context. The range is live device memory of `STATUS` bytes (the trait has one
        // implementation) and stays so until the work is over (invariant of `Queued`). Any byte is a valid `u8`.
        let code = unsafe { sys::aclrtGetOverflowStatus(to, STATUS, self.as_raw()) };
        check("aclrtGetOverflowStatus", code)?;
        // SAFETY: the copy covers every element.
        Ok(unsafe { destination.written() })
    }

    /// Queues the clearing of the overflow status of the device (`aclrtResetOverflowStatus`, pyACL
    /// `acl.rt.reset_overflow_status`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// stream.reset_overflow_status()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    #[doc(alias = "aclrtResetOverflowStatus")]
    #[doc(alias = "acl.rt.reset_overflow_status")]
    pub fn reset_overflow_status(&mut self) -> Result<()> {
        // SAFETY: a live stream of the current context.
        let code = unsafe { sys::aclrtResetOverflowStatus(self.as_raw()) };
        check("aclrtResetOverflowStatus", code)
    }

    /// Switches the overflow check of later work of the stream on or off (`aclrtSetStreamOverflowSwitch`, pyACL
    /// `acl.rt.set_stream_overflow_switch`). It is off for a new stream.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// stream.set_overflow_switch(true)?;
    /// assert!(stream.overflow_switch()?);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    ///
    /// Products without the function, according to the manual: 310B, 310P, 910.
    #[doc(alias = "aclrtSetStreamOverflowSwitch")]
    #[doc(alias = "acl.rt.set_stream_overflow_switch")]
    pub fn set_overflow_switch(&mut self, is_on: bool) -> Result<()> {
        // SAFETY: a live stream of the current context.
        let code = unsafe { sys::aclrtSetStreamOverflowSwitch(self.as_raw(), is_on.into()) };
        check("aclrtSetStreamOverflowSwitch", code)
    }

    /// Returns whether the overflow check of the stream is on (`aclrtGetStreamOverflowSwitch`, pyACL
    /// `acl.rt.get_stream_overflow_switch`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// assert!(!stream.overflow_switch()?);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    ///
    /// Products without the function, according to the manual: 310B, 310P, 910.
    #[doc(alias = "aclrtGetStreamOverflowSwitch")]
    #[doc(alias = "acl.rt.get_stream_overflow_switch")]
    pub fn overflow_switch(&self) -> Result<bool> {
        let mut is_on = 0;
        // SAFETY: a live stream of the current context, and `is_on` is valid for a write of a u32.
        let code = unsafe { sys::aclrtGetStreamOverflowSwitch(self.as_raw(), &raw mut is_on) };
        check("aclrtGetStreamOverflowSwitch", code)?;
        Ok(is_on != 0)
    }
}
