//! Events of another library of the process.

use std::marker::PhantomData;

use ascendcl_sys as sys;

use crate::context::Current;
use crate::device::AnyDevice;
use crate::error::{Result, Usage};
use crate::event::{CanOrder, CanTime, Capability, Event, OwnCapability, Recorded};
use crate::interop::Foreign;
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
    /// `npu_event` of a `torch.npu.Event` that was recorded once). No call of the runtime.
    ///
    /// It is recorded and waited for as other events are, and never destroyed here. If the other library has recorded
    /// it, [`Event::assume_recorded`] gives the point that streams and the host can wait for.
    ///
    /// # Errors
    ///
    /// [`Usage::BorrowedNull`] for a null event.
    ///
    /// # Safety
    ///
    /// - `raw` is a live event of the device `D`, which `aclrtCreateEventExWithFlag` has created with all flags of `C`.
    /// - The event is not destroyed before this value is gone, and all fences and recorded points that were made from it.
    ///   What was forgotten counts as gone.
    /// - Until then no other code records or resets the event, except in front of a call of
    ///   [`Event::assume_recorded`] while no fence and no recorded point of the event exists. Other code may wait for
    ///   it and query it.
    /// - Until then no other value of this program stands for the event.
    pub unsafe fn borrow_raw_event<C: OwnCapability>(
        self,
        raw: sys::aclrtEvent,
    ) -> Result<Event<'dev, D, Foreign<C>>> {
        let raw = Handle::from_other(raw).ok_or(Usage::BorrowedNull { what: "event" })?;
        // INVARIANT: a live event, which nobody else destroys, records or resets (the caller's contract).
        Ok(Event {
            raw,
            _device: PhantomData,
        })
    }
}

impl<D: AnyDevice, C: OwnCapability> Event<'_, D, Foreign<C>> {
    /// The point at which the other library has recorded the event last. No call of the runtime.
    ///
    /// `S` is the name under which the stream is borrowed, or would be: [`Done::millis_since`](crate::event::Done::millis_since)
    /// compares times of one name.
    ///
    /// # Safety
    ///
    /// - Other code has recorded the event (`aclrtRecordEvent`) on a stream of the device `D`.
    /// - No other code records or resets the event while the point is used, or what was made from it.
    pub unsafe fn assume_recorded<S: StreamTag>(&mut self) -> Recorded<'_, (D, S), Foreign<C>> {
        Recorded {
            raw: self.raw,
            _event: PhantomData,
        }
    }
}
