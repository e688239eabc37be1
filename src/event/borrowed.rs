//! Borrowed events: events of another library of the process.

use std::marker::PhantomData;

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::AnyDevice;
use crate::error::{Result, Usage};
use crate::event::{CanOrder, CanTime, Capability, Event, OwnCapability, Recorded};
use crate::interop::Foreign;
use crate::park::calls;
use crate::raw::Handle;
use crate::stream::StreamTag;

#[diagnostic::do_not_recommend]
impl<C: OwnCapability> Capability for Foreign<C> {
    const FLAGS: u32 = C::FLAGS;
    const OWNED: bool = false;
}
#[diagnostic::do_not_recommend]
impl<C: OwnCapability + CanOrder> CanOrder for Foreign<C> {}
#[diagnostic::do_not_recommend]
impl<C: OwnCapability + CanTime> CanTime for Foreign<C> {}

impl<'dev, D: AnyDevice> Current<'_, 'dev, D> {
    /// Borrows an event of another library (in C an `aclrtEvent`, in pyACL its address, in torch_npu the field
    /// `npu_event` of a `torch.npu.Event` that was recorded once). This makes no call of the runtime.
    ///
    /// The event can be recorded and waited for as any other event. This crate never destroys it. If the other
    /// library has recorded the event, [`Event::assume_recorded`] returns the value that streams and the host can
    /// wait for.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # let torch = current.create_event::<ascendcl::event::Order>()?;
    /// # let raw = torch.as_raw();
    /// use ascendcl::event::Order;
    ///
    /// // SAFETY: a live event of this device with the flags of `Order`. Only this value records it.
    /// let mut event = unsafe { current.borrow_raw_event::<Order>(raw)? };
    /// let recorded = stream.record(&mut event)?; // the other library can wait for it
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::BorrowedNull`] for a null event.
    ///
    /// # Safety
    ///
    /// - `raw` is a live event of the device `D`. `aclrtCreateEventExWithFlag` has created it with all flags of `C`.
    /// - The event is not destroyed while the returned value lives, or a fence or a recorded point that was made from
    ///   it. A forgotten value does not live.
    /// - While one of these values lives, no other code records or resets the event, with one exception: before a
    ///   call of [`Event::assume_recorded`], while no fence and no recorded point of the event exists. Other code may
    ///   wait for the event and query it.
    /// - While one of these values lives, no other value of this program holds the same event.
    pub unsafe fn borrow_raw_event<C: OwnCapability>(
        self,
        raw: sys::aclrtEvent,
    ) -> Result<Event<'dev, D, Foreign<C>>> {
        let raw = Handle::from_other(raw).ok_or(Usage::BorrowedNull { what: "event" })?;
        // INVARIANT: a live event that no other code destroys, records or resets (the caller's contract).
        Ok(Event {
            raw,
            _device: PhantomData,
        })
    }
}

impl<D: AnyDevice, C: OwnCapability> Event<'_, D, Foreign<C>> {
    /// Returns the point of the last record of the other library. This makes no call of the runtime.
    ///
    /// `S` is the name under which the stream of that record is borrowed. If the stream is not borrowed, choose a
    /// name that no other stream has. [`Done::millis_since`](crate::event::Done::millis_since) compares times of one
    /// name.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # enum Second {}
    /// # impl ascendcl::StreamName for Second {}
    /// # let mut second = current.create_stream::<Second>()?;
    /// # let mut torch = current.create_event::<ascendcl::event::Order>()?;
    /// # let raw = torch.as_raw();
    /// # stream.record(&mut torch)?;
    /// use ascendcl::event::Order;
    ///
    /// // SAFETY: a live event of this device with the flags of `Order`.
    /// let mut event = unsafe { current.borrow_raw_event::<Order>(raw)? };
    /// // SAFETY: the other library has recorded the event, and does not record it meanwhile.
    /// let recorded = unsafe { event.assume_recorded::<Second>() };
    /// stream.wait(recorded)?; // after the work of the other library
    /// # });
    /// ```
    ///
    /// # Safety
    ///
    /// - Other code has recorded the event (`aclrtRecordEvent`) on a stream of the device `D`.
    /// - No other code records or resets the event while the returned point is used, or a value that was made from
    ///   it.
    pub unsafe fn assume_recorded<S: StreamTag>(&mut self) -> Recorded<'_, (D, S), Foreign<C>> {
        // The record of this crate is not the last one any more, so it proves nothing of its stream.
        calls::forget_record(self.raw.as_ptr());
        Recorded {
            raw: self.raw,
            _event: PhantomData,
        }
    }
}
