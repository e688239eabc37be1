//! Recorded events: the wait of the host, the question, and the time between two of them.

use std::fmt;
use std::time::Duration;

use ascendcl_sys as sys;

use crate::error::Result;
#[cfg(doc)]
use crate::error::{ErrorKind, Usage};
use crate::event::{CanTime, Recorded};
use crate::park::{calls, dropped};
use crate::raw::{check, check_wait};
use crate::stream::millis;

/// The state of an event: whether the work before it is over.
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// use ascendcl::event::{EventStatus, Order};
///
/// let mut event = current.create_event::<Order>()?;
/// match stream.record(&mut event)?.query()? {
///     EventStatus::Complete => println!("the work is over"),
///     EventStatus::NotReady => println!("the work is queued or running"),
/// }
/// # });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventStatus {
    /// The work is over, successfully or not.
    Complete,
    /// The work is not over.
    NotReady,
}

impl<'e, Q, C> Recorded<'e, Q, C> {
    /// Waits on the host until the work before the event is over (`aclrtSynchronizeEvent`). This also frees memory of that work
    /// that was dropped while it was queued.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::event::Order;
    ///
    /// let mut event = current.create_event::<Order>()?;
    /// stream.record(&mut event)?.synchronize()?; // the host waits for this point
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Wait`], and [`Usage::RecordDropped`] if the event may never complete.
    pub fn synchronize(self) -> Result<Done<'e, Q, C>> {
        // SAFETY: a live event, borrowed by this value: nothing has recorded it since the record of this point, or since the
        // call of `assume_recorded` that made this point.
        let code = unsafe { calls::synchronize(self.raw.as_ptr()) };
        dropped::synchronized(code)?;
        Ok(Done { recorded: self })
    }

    /// Waits on the host until the work before the event is over, for a limited time (`aclrtSynchronizeEventWithTimeout`, pyACL
    /// `acl.rt.synchronize_event_with_timeout`). The limit is rounded up to milliseconds. A success frees memory as
    /// [`Recorded::synchronize`] does.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::event::Order;
    /// use std::time::Duration;
    ///
    /// let mut event = current.create_event::<Order>()?;
    /// let recorded = stream.record(&mut event)?;
    /// if recorded.synchronize_within(Duration::from_secs(60)).is_err() {
    ///     recorded.synchronize()?; // a `Recorded` is a copy: the host waits again
    /// }
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Wait`], with 507047 when the time was up, [`Usage::RecordDropped`] if the event may never complete, and
    /// [`ErrorKind::Usage`] for a limit that C does not have.
    #[doc(alias = "aclrtSynchronizeEventWithTimeout")]
    #[doc(alias = "acl.rt.synchronize_event_with_timeout")]
    pub fn synchronize_within(self, limit: Duration) -> Result<Done<'e, Q, C>> {
        let (event, millis) = (self.raw.as_ptr(), millis(limit)?);
        // SAFETY: a live event, borrowed by this value. The call needs no current context (observed, CANN runtime 1.17).
        let code = unsafe { sys::aclrtSynchronizeEventWithTimeout(event, millis) };
        if let Err(error) = check_wait("aclrtSynchronizeEventWithTimeout", code) {
            return Err(dropped::why_dropped(event).unwrap_or(error));
        }
        // SAFETY: the event has completed. This value borrows it, so nothing has recorded it since the record of this point, or since
        // the call of `assume_recorded` that made the point.
        unsafe { calls::reached(event) };
        Ok(Done { recorded: self })
    }

    /// Returns whether the work before the event is over (`aclrtQueryEventStatus`, pyACL
    /// `acl.rt.query_event_status`). Does not wait. The answer that it is over frees memory as [`Recorded::synchronize`] does.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::event::{EventStatus, Order};
    ///
    /// let mut event = current.create_event::<Order>()?;
    /// let recorded = stream.record(&mut event)?;
    /// while recorded.query()? == EventStatus::NotReady {
    ///     std::thread::yield_now(); // or other work of the host
    /// }
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`], and [`Usage::RecordDropped`] if the event may never complete.
    #[doc(alias = "aclrtQueryEventStatus")]
    #[doc(alias = "aclrtQueryEvent")]
    pub fn query(self) -> Result<EventStatus> {
        let mut status = sys::ACL_EVENT_RECORDED_STATUS_NOT_READY;
        // SAFETY: a live event, borrowed by this value, and `status` is valid for a write.
        let code = unsafe { sys::aclrtQueryEventStatus(self.raw.as_ptr(), &raw mut status) };
        check("aclrtQueryEventStatus", code)?;
        if status != sys::ACL_EVENT_RECORDED_STATUS_COMPLETE {
            return match dropped::why_dropped(self.raw.as_ptr()) {
                None => Ok(EventStatus::NotReady),
                Some(error) => Err(error),
            };
        }
        // SAFETY: as in `synchronize`; the event has completed.
        unsafe { calls::reached(self.raw.as_ptr()) };
        Ok(EventStatus::Complete)
    }
}

impl<Q, C> Recorded<'_, Q, C> {
    /// Returns the number that the device has for the event since this record (`aclrtGetEventId`), as it stands in logs and
    /// profiles. Before its first record an event has none (507000, observed, CANN runtime 1.17).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let mut event = current.create_event::<ascendcl::event::Order>()?;
    /// println!("event {}", stream.record(&mut event)?.id()?);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`], and [`ErrorKind::Backend`] when an older CANN lacks the function.
    #[doc(alias = "aclrtGetEventId")]
    pub fn id(self) -> Result<u32> {
        let mut id = 0;
        // SAFETY: a live event, borrowed by this value, and `id` is valid for a write.
        let code = unsafe { sys::aclrtGetEventId(self.raw.as_ptr(), &raw mut id) };
        check("aclrtGetEventId", code)?;
        Ok(id)
    }
}

/// A recorded event that has completed: the work before it is over.
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// use ascendcl::event::Timing;
///
/// let mut start = current.create_event::<Timing>()?;
/// let mut end = current.create_event::<Timing>()?;
/// let start = stream.record(&mut start)?;
/// let end = stream.record(&mut end)?;
/// let (start, end) = (start.synchronize()?, end.synchronize()?);
/// println!("{} ms", end.millis_since(&start)?);
/// # });
/// ```
pub struct Done<'e, Q, C> {
    recorded: Recorded<'e, Q, C>,
}

impl<Q, C> Done<'_, Q, C> {
    /// Returns the milliseconds from `start` to this event (`aclrtEventElapsedTime`, pyACL
    /// `acl.rt.event_elapsed_time`).
    ///
    /// The types ensure that both events were recorded on streams with one name on one device. The result is negative
    /// if `start` was recorded later. If a stream was destroyed and another one has its name now, events of both can
    /// be compared: the result is the time between them on the clock of the device.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::event::Timing;
    ///
    /// let mut start = current.create_event::<Timing>()?;
    /// let mut end = current.create_event::<Timing>()?;
    /// let start = stream.record(&mut start)?;
    /// let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
    /// let end = stream.record(&mut end)?;
    /// let (start, end) = (start.synchronize()?, end.synchronize()?);
    /// assert!(end.millis_since(&start)? >= 0.0);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    #[doc(alias = "aclrtEventElapsedTime")]
    #[doc(alias = "acl.rt.event_elapsed_time")]
    pub fn millis_since<C0: CanTime>(&self, start: &Done<'_, Q, C0>) -> Result<f32>
    where
        C: CanTime,
    {
        let mut millis = 0.0;
        let (from, to) = (start.recorded.raw.as_ptr(), self.recorded.raw.as_ptr());
        // SAFETY: live events, borrowed by the two values, and `millis` is valid for a write.
        let code = unsafe { sys::aclrtEventElapsedTime(&raw mut millis, from, to) };
        check("aclrtEventElapsedTime", code)?;
        Ok(millis)
    }

    /// Returns when the event has completed, on the clock of the device, which counts microseconds (`aclrtEventGetTimestamp`, pyACL
    /// `acl.rt.event_get_timestamp`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::event::Timing;
    ///
    /// let mut event = current.create_event::<Timing>()?;
    /// let done = stream.record(&mut event)?.synchronize()?;
    /// println!("{} us", done.timestamp()?.as_micros());
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    #[doc(alias = "aclrtEventGetTimestamp")]
    #[doc(alias = "acl.rt.event_get_timestamp")]
    pub fn timestamp(&self) -> Result<Duration>
    where
        C: CanTime,
    {
        let mut micros = 0;
        // SAFETY: a live event, borrowed by this value, and `micros` is valid for a write.
        let code =
            unsafe { sys::aclrtEventGetTimestamp(self.recorded.raw.as_ptr(), &raw mut micros) };
        check("aclrtEventGetTimestamp", code)?;
        Ok(Duration::from_micros(micros))
    }
}

impl<Q, C> fmt::Debug for Done<'_, Q, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Done").field(&self.recorded).finish()
    }
}
