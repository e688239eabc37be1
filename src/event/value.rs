//! Numbers in device memory that streams write and wait for (`acl/acl_rt.h`; manual chapter 11-09).

use std::fmt;
use std::mem::ManuallyDrop;
use std::sync::Arc;

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::{AnyDevice, Core, SameDevice};
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::Result;
use crate::memory::DeviceBuf;
use crate::park::User;
use crate::raw::check;
use crate::stream::{AnyStream, Stream, StreamTag};
use crate::sync::{Mutex, lock};

/// A number of 8 bytes in the memory of device `D`, aligned to 8 bytes. Any stream of the device can write it and wait for it.
///
/// It orders work and hands no memory over: a stream that waits for a number may use what another one has written only if a
/// [fence](Stream::fence), a [signal](super::Signal) or a [`handoff`](Stream::handoff) moves that, too. A value that is dropped is
/// freed behind the work of the streams that have used it.
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// # enum Second {}
/// # impl ascendcl::StreamName for Second {}
/// # let mut second = current.create_stream::<Second>()?;
/// use ascendcl::event::ValueWait;
///
/// let rounds = current.create_value()?; // 0
/// for round in 1..=3 {
///     stream.value_write(&rounds, round)?;
/// }
/// second.value_wait(&rounds, ValueWait::Geq(3))?; // the work behind it runs after the third round
/// second.synchronize()?;
/// # });
/// ```
pub struct Value<'dev, D: AnyDevice> {
    number: ManuallyDrop<DeviceBuf<'dev, D, [u64]>>,
    core: &'dev Arc<Core>,
    /// The streams whose work may use the number.
    users: Mutex<Vec<User>>,
}

/// What a stream waits for: a comparison of the number in memory with another one.
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// use ascendcl::event::ValueWait;
///
/// let value = current.create_value()?;
/// stream.value_write(&value, 7)?;
/// stream.value_wait(&value, ValueWait::Geq(5))?;
/// # });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueWait {
    /// The number is as large or larger, where numbers that have passed 2⁶⁴ count on from 0: the difference of both is not negative
    /// as an `i64` (`ACL_STREAM_WAIT_VALUE_GEQ`).
    Geq(u64),
    /// The number is this one (`ACL_STREAM_WAIT_VALUE_EQ`). A stream that waits may miss a number that is written over at once.
    Eq(u64),
    /// One of these bits is set (`ACL_STREAM_WAIT_VALUE_AND`).
    And(u64),
    /// Of the bits that this one has not, one is not set (`ACL_STREAM_WAIT_VALUE_NOR`).
    Nor(u64),
}

impl<'dev, D: AnyDevice> Current<'_, 'dev, D> {
    /// Allocates a number that streams write and wait for (`aclrtMalloc`), and makes it 0.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let value = current.create_value()?;
    /// stream.value_write(&value, 1)?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Current::malloc`] and [`Current::memset`].
    pub fn create_value(self) -> Result<Value<'dev, D>> {
        Ok(Value {
            number: ManuallyDrop::new(self.memset(self.malloc::<u64>(1)?, 0)?),
            core: self.core(),
            users: Mutex::new(Vec::new()),
        })
    }
}

impl<D: AnyDevice> Value<'_, D> {
    /// Enters that work of a stream may use the number from now on, and returns its address.
    fn enters(&self, user: User) -> *mut std::ffi::c_void {
        let parking = self.core.parking();
        parking.enter_user(&mut lock(&self.users), user);
        self.number.as_raw().cast()
    }
}

impl<D: AnyDevice> Drop for Value<'_, D> {
    fn drop(&mut self) {
        // SAFETY: dropped once, and the field is not used afterwards.
        let number = unsafe { ManuallyDrop::take(&mut self.number) };
        number.into_parking(self.core.parking(), &lock(&self.users));
    }
}

impl<D: AnyDevice> fmt::Debug for Value<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Value").field(&*self.number).finish()
    }
}

impl<D: AnyDevice, S: AnyStream> Stream<'_, '_, D, S> {
    /// Writes a number behind all submitted work (`aclrtValueWrite`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let value = current.create_value()?;
    /// stream.value_write(&value, 1)?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`], and [`ErrorKind::Backend`] when an older CANN lacks the function.
    ///
    /// Products without the function, according to the manual: 310B, 310P, 910.
    #[doc(alias = "aclrtValueWrite")]
    pub fn value_write(&mut self, value: &Value<'_, impl SameDevice<D>>, number: u64) -> Result<()>
    where
        S: StreamTag,
    {
        let address = value.enters(Some(self.key()));
        // SAFETY: a live stream of the current context, and device memory of 8 aligned bytes, which is freed behind the work of the
        // stream (`Value::enters`). Streams alone use it, by calls that the device makes atomic.
        let code = unsafe { sys::aclrtValueWrite(address, number, 0, self.as_raw()) };
        check("aclrtValueWrite", code)
    }

    /// Makes later work of this stream wait until a number is as `until` says (`aclrtValueWait`). The wait has no time limit: a
    /// stream for which nothing writes that number never ends, and the program that waits for the stream does not either.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::event::ValueWait;
    ///
    /// let value = current.create_value()?;
    /// stream.value_write(&value, 6)?;
    /// stream.value_wait(&value, ValueWait::And(2))?;
    /// stream.synchronize()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Stream::value_write`].
    ///
    /// Products without the function, according to the manual: 310B, 310P, 910.
    #[doc(alias = "aclrtValueWait")]
    pub fn value_wait(
        &mut self,
        value: &Value<'_, impl SameDevice<D>>,
        until: ValueWait,
    ) -> Result<()>
    where
        S: StreamTag,
    {
        let (flag, number) = match until {
            ValueWait::Geq(number) => (sys::ACL_STREAM_WAIT_VALUE_GEQ, number),
            ValueWait::Eq(number) => (sys::ACL_STREAM_WAIT_VALUE_EQ, number),
            ValueWait::And(bits) => (sys::ACL_STREAM_WAIT_VALUE_AND, bits),
            ValueWait::Nor(bits) => (sys::ACL_STREAM_WAIT_VALUE_NOR, bits),
        };
        let address = value.enters(Some(self.key()));
        // SAFETY: as in `value_write`.
        let code = unsafe { sys::aclrtValueWait(address, number, flag, self.as_raw()) };
        check("aclrtValueWait", code)
    }
}
