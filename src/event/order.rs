//! The calls of a stream that put its work into an order with that of the host and of other streams. A wait frees the memory
//! whose work is in front of it, so the parking learns of them (`park/calls.rs`).

use ascendcl_sys as sys;

use crate::context::with_bound;
use crate::device::{AnyDevice, Core};
use crate::error::Result;
use crate::park::{Parking, StreamKey, calls, dropped};
use crate::pending;
use crate::raw::{Handle, check};
use crate::stream::{AnyStream, Stream, StreamTag};

impl<D: AnyDevice, S: AnyStream> Stream<'_, '_, D, S> {
    /// Records the event of a fence or of a point without memory (`aclrtRecordEvent`). Returns the status.
    #[inline(always)]
    pub(super) fn record_point(&mut self, event: sys::aclrtEvent) -> sys::aclError
    where
        S: StreamTag,
    {
        // SAFETY: a live event and a live stream of the current context, which this call has exclusively.
        let code = unsafe { calls::record(event, self.as_raw()) };
        let enters = || pending::of_parked() || calls::has_limit();
        if !S::HAS_HANDLE && code == sys::ACL_SUCCESS && enters() {
            self.enter(|parking, stream| parking.recorded(event, stream));
        }
        code
    }

    /// Queues a wait for the event of a fence. The wait has no time limit: it does not end before the event completes.
    #[inline(always)]
    pub(super) fn wait_without_limit(&mut self, event: sys::aclrtEvent) -> Result<()>
    where
        S: StreamTag,
    {
        // SAFETY: a live stream of the current context and a live event.
        match unsafe { calls::wait(self.as_raw(), event) } {
            sys::ACL_SUCCESS => {}
            code => return Err(calls::wait_refused(code)),
        }
        if !S::HAS_HANDLE && pending::of_records() {
            self.enter(|parking, stream| parking.follows(stream, event));
        }
        Ok(())
    }

    /// Queues a wait for the event of a point without memory.
    #[inline(always)]
    pub(super) fn wait_for_point(&mut self, event: sys::aclrtEvent) -> Result<()>
    where
        S: StreamTag,
    {
        // SAFETY: a live stream of the current context and a live event.
        let code = unsafe { calls::wait_for_point(self.as_raw(), event) };
        dropped::point_waited(code)?;
        if !S::HAS_HANDLE && pending::of_records() && !calls::limits_points() {
            self.enter(|parking, stream| parking.follows(stream, event));
        }
        Ok(())
    }

    /// Gives a signal.
    pub(super) fn give_signal(&mut self, notify: Handle) -> Result<()>
    where
        S: StreamTag,
    {
        // SAFETY: a live notify and a live stream of the current context, which this call has exclusively.
        let code = unsafe { sys::aclrtRecordNotify(notify.as_ptr(), self.as_raw()) };
        check("aclrtRecordNotify", code)?;
        if calls::has_limit() {
            self.enter(|parking, stream| parking.gives_signal(stream, notify.as_ptr()));
        }
        Ok(())
    }

    /// Queues a wait for the signal that the stream `of` gives. The wait has no time limit. A stream that is poisoned is refused:
    /// its earlier waits may have failed, or were dropped, so that a flag is still set.
    pub(super) fn wait_for_signal(&mut self, notify: sys::aclrtNotify, of: StreamKey) -> Result<()>
    where
        S: StreamTag,
    {
        let key = self.key();
        // SAFETY: this value borrows the binding that made it.
        if pending::of_failures() && unsafe { with_bound(|core| core.ledger().is_poisoned(key)) } {
            return Err(Self::poisoned(self.ident()));
        }
        if let Some(error) = dropped::why_dropped(notify) {
            return Err(error);
        }
        // SAFETY: a live stream of the current context and a live notify.
        let code = unsafe { sys::aclrtWaitAndResetNotify(notify, self.as_raw(), 0) };
        check("aclrtWaitAndResetNotify", code)?;
        if pending::of_parked() || calls::has_limit() {
            self.enter(|parking, stream| parking.takes_signal(stream, notify, of));
        }
        Ok(())
    }

    /// Calls `enter` with the parking of this stream, where that is not found by the address of the stream: the default streams of
    /// all contexts have one address.
    #[cold]
    fn enter(&mut self, enter: impl FnOnce(&Parking, StreamKey))
    where
        S: StreamTag,
    {
        let key = self.key();
        // SAFETY: this value borrows the binding that made it.
        unsafe { with_bound(|core: &Core| enter(core.parking(), key)) };
    }
}
