//! Waits at the end of a call that borrows memory for work of the stream: the memory goes back to its owner behind them.

use std::mem;

use ascendcl_sys as sys;

use crate::context::with_bound;
use crate::device::limit::{late, wait_for_stream, wait_or_abort, why_not_aborted};
use crate::device::{AnyDevice, Core, behind_captures};
use crate::error::{Error, Result, Usage};
use crate::park::calls;
use crate::raw::recent_error_text;
use crate::release;
use crate::stream::name::tag;
use crate::stream::{Stream, StreamTag};

impl<D: AnyDevice, S: StreamTag> Stream<'_, '_, D, S> {
    /// Calls `aclrtSynchronizeStream` once, or on a device with a limit the call with that limit. The caller must check the
    /// status, by [`Stream::loan_waited`].
    #[inline(always)]
    pub(crate) fn wait_for_loan(&mut self) -> sys::aclError {
        // SAFETY: a live stream (invariant of `Stream`), which borrows the binding that made it.
        unsafe { calls::wait_for_loan(self.as_raw()) }
    }

    /// Returns the outcome of [`Stream::wait_for_loan`], which may be that the limit is exceeded.
    pub(crate) fn loan_outcome(&mut self, code: sys::aclError) -> Result<()> {
        // SAFETY: this value borrows the binding that made it.
        match (code, unsafe { with_bound(Core::limit) }) {
            (sys::ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, Some(millis)) => {
                // Its text must not be taken for the text of a later error.
                drop(recent_error_text());
                Err(late(millis))
            }
            _ => self.waited("aclrtSynchronizeStream", code),
        }
    }

    /// Returns the outcome of [`Stream::wait_for_loan`]. Behind an error there is a proof that the work is over: else the process
    /// ends, as [`Stream::end_loan`] says.
    #[cold]
    pub(crate) fn loan_waited(&mut self, code: sys::aclError) -> Result<()> {
        let Err(first) = self.loan_outcome(code) else {
            return Ok(());
        };
        let failure = self.end_loan(first.is_late());
        Err(match failure {
            Some(failure) if !first.is_wait() => failure,
            _ => first,
        })
    }

    /// Waits until a wait succeeds, as errors are reported once, and returns the first failure. On a device with a limit, the
    /// stream is aborted if the wait exceeds the limit, or has exceeded it already (`is_late`), and waited for again.
    /// Without a success the process ends.
    #[cold]
    pub(crate) fn end_loan(&mut self, mut is_late: bool) -> Option<Error> {
        let (key, raw, stream) = (self.key(), self.as_raw(), self.raw);
        let end = |core: &Core| {
            let mut wait = || {
                if let (true, Some(millis)) = (mem::take(&mut is_late), core.limit()) {
                    return Err(late(millis));
                }
                // SAFETY: a live stream (invariant of `Stream`) of the context that is current.
                let waited = unsafe { wait_for_stream(raw, core.limit()) };
                waited.inspect_err(|failure| {
                    if failure.is_wait() {
                        core.ledger().enter(key, failure);
                    }
                })
            };
            let may_abort = <S as tag::Tag>::CREATED && why_not_aborted(core, key).is_none();
            let own = may_abort.then_some((key, stream));
            // SAFETY: a live stream that this crate has created, and that is not destroyed meanwhile. It is borrowed mutably, so
            // nobody submits work to it.
            let waited =
                unsafe { wait_or_abort(core, own.as_slice(), &mut behind_captures(&mut wait)) };
            let (failure, is_aborted) = waited.unwrap_or_else(|first| release::abort(&first));
            let aborted = || {
                let name = key.label();
                Usage::Aborted { name }.into()
            };
            is_aborted.then(aborted).or(failure)
        };
        // SAFETY: this value borrows the binding that made it.
        unsafe { with_bound(end) }
    }
}
