//! What a wait for a stream does behind its call: the failure that poisons the stream, the memory that was parked for it,
//! the communicators that are asked, and the tasks that are over.

use std::sync::Arc;
use std::time::Duration;

use ascendcl_sys as sys;

use super::name::{AnyStream, StreamIdent, StreamTag, stream_key};
use super::{Stream, millis};
use crate::context::with_bound;
use crate::device::{AnyDevice, Core, Shown};
use crate::error::{Error, Result, Usage};
use crate::pending;
use crate::raw::recent_error_text;
use crate::release;
use crate::state::Bound;

/// Returns whether a wait with the status `code` needs more checks. One test covers both reasons: the wait has
/// failed, or a wait for the whole device may have taken the report of a failure.
#[inline(always)]
pub(crate) fn needs_checks(code: sys::aclError) -> bool {
    code.cast_unsigned() | pending::word() != 0
}

impl<D: AnyDevice, S: AnyStream> Stream<'_, '_, D, S> {
    /// Waits as [`Stream::drain`] does, in time slices. Calls `makes_sense` after each slice, and returns its error.
    pub(crate) fn drain_while(
        &mut self,
        slice: Duration,
        makes_sense: impl Fn() -> Result<()>,
    ) -> Result<()>
    where
        S: StreamTag,
    {
        let call = "aclrtSynchronizeStreamWithTimeout";
        let millis = millis(slice)?;
        let mut has_failed = false;
        loop {
            // SAFETY: a live stream (invariant of `Stream`).
            let code = unsafe { sys::aclrtSynchronizeStreamWithTimeout(self.as_raw(), millis) };
            if code == sys::ACL_ERROR_RT_STREAM_SYNC_TIMEOUT {
                // The time limit is no error here, so its text must not be taken for the text of a later error.
                drop(recent_error_text());
                makes_sense()?;
                continue;
            }
            match self.waited(call, code) {
                // A failure is reported once, so a repeated wait proves that the queue is empty.
                Err(error) if error.is_wait() && !has_failed => {
                    self.keep(error);
                    has_failed = true;
                }
                waited => return waited,
            }
        }
    }

    /// Calls `aclrtSynchronizeStream` once. The caller must check the status.
    #[inline(always)]
    pub(crate) fn wait_status(&mut self) -> sys::aclError
    where
        S: StreamTag,
    {
        // SAFETY: a live stream (invariant of `Stream`).
        unsafe { sys::aclrtSynchronizeStream(self.as_raw()) }
    }

    /// Returns the outcome of a wait for the stream by `call` with the status `code`. A failure poisons the stream. A
    /// success frees the memory that was parked for the stream, and proves nothing more.
    pub(crate) fn waited(&mut self, call: &'static str, code: sys::aclError) -> Result<()>
    where
        S: StreamTag,
    {
        self.told(call, code)?;
        if pending::of_parked() {
            Self::release_parked(self._binding, self.ident);
        }
        Ok(())
    }

    /// Frees the memory that was parked for the stream, after a wait that has succeeded.
    #[cold]
    fn release_parked(_binding: Bound<'_, (D, S)>, ident: StreamIdent<S>)
    where
        S: StreamTag,
    {
        let release = |core: &Core| {
            // SAFETY: the caller has waited for the stream, and still holds it.
            let unfreed = unsafe { core.parking().stream_is_idle(stream_key::<S>(ident)) };
            unfreed.iter().for_each(release::failed);
        };
        // SAFETY: `_binding` comes from a stream, which borrows the binding of its thread.
        unsafe { with_bound(release) };
    }

    /// Waits for the stream with one `aclrtSynchronizeStream`. A failure poisons the stream.
    pub(crate) fn wait_for_all(&mut self) -> Result<()>
    where
        S: StreamTag,
    {
        let code = self.wait_status();
        self.waited("aclrtSynchronizeStream", code)
    }

    /// Returns the outcome of a wait that has failed, or that needs more checks after its success.
    #[cold]
    #[inline(never)]
    pub(super) fn resolve_wait(
        binding: Bound<'_, (D, S)>,
        ident: StreamIdent<S>,
        code: sys::aclError,
    ) -> Result<()>
    where
        S: StreamTag,
    {
        if code != sys::ACL_SUCCESS {
            return Err(Self::wait_failed(
                binding,
                ident,
                "aclrtSynchronizeStream",
                code,
            ));
        }
        // A communicator that was dropped is asked before it is released.
        let asked = Self::ask_watched(binding, ident);
        // Read after the question: a communicator that another thread has destroyed before it is not asked any more, and its
        // error is in the ledger.
        if pending::of_more_than_watches() {
            return Self::resolve_rest(binding, ident, asked);
        }
        asked
    }

    /// Returns the outcome of a wait that has succeeded in a process with parked memory, failures or waits for whole devices.
    #[cold]
    #[inline(never)]
    fn resolve_rest(
        binding: Bound<'_, (D, S)>,
        ident: StreamIdent<S>,
        asked: Result<()>,
    ) -> Result<()>
    where
        S: StreamTag,
    {
        if pending::of_parked() {
            Self::release_parked(binding, ident);
        }
        asked?;
        if pending::of_failures() {
            Self::check_poison(binding, ident)?;
        }
        if pending::of_open() {
            Self::close_tasks(binding, ident, true);
        }
        Ok(())
    }

    /// Notes that the tasks of the stream are over, and whether a wait has proven that they have succeeded.
    #[cold]
    pub(super) fn close_tasks(_binding: Bound<'_, (D, S)>, ident: StreamIdent<S>, is_proven: bool)
    where
        S: StreamTag,
    {
        let key = stream_key::<S>(ident);
        // SAFETY: `_binding` comes from a stream, which borrows the binding of its thread.
        unsafe { with_bound(|core| core.open().close(key, is_proven)) };
    }

    /// Enters a task whose result needs a proof of its own, before it is queued on the stream.
    pub(crate) fn enter_task(&self, task: &Arc<Shown>)
    where
        S: StreamTag,
    {
        // SAFETY: this value borrows the binding that made it.
        unsafe { with_bound(|core| core.open().enter(self.key(), task)) };
    }

    /// Asks the communicators whose work the stream has run for errors that the wait did not report. An error poisons the
    /// stream.
    #[inline(always)]
    fn ask_watched(binding: Bound<'_, (D, S)>, ident: StreamIdent<S>) -> Result<()>
    where
        S: StreamTag,
    {
        let key = stream_key::<S>(ident);
        // SAFETY: `binding` comes from a stream, which borrows the binding of its thread.
        let asked = unsafe { with_bound(|core| core.watches().ask(key)) };
        asked.inspect_err(|error| Self::poison(binding, ident, error))
    }

    /// Fails if a wait for the whole device has failed since the number of such failures was `before`
    /// ([`failed_waits`](crate::device::failed_waits)). That wait may have taken the report of a failure on this
    /// stream.
    pub(crate) fn check_failures(&self, before: u64) -> Result<()>
    where
        S: StreamTag,
    {
        // SAFETY: this value borrows the binding that made it.
        if unsafe { with_bound(|core| core.ledger().has_failed_since(before)) } {
            return Err(Self::poisoned(self.ident));
        }
        Ok(())
    }

    #[cold]
    pub(crate) fn poisoned(ident: StreamIdent<S>) -> Error
    where
        S: StreamTag,
    {
        let name = stream_key::<S>(ident).label();
        Usage::StreamPoisoned { name }.into()
    }

    #[cold]
    fn check_poison(_binding: Bound<'_, (D, S)>, ident: StreamIdent<S>) -> Result<()>
    where
        S: StreamTag,
    {
        let key = stream_key::<S>(ident);
        // SAFETY: as for `poison`.
        let is_poisoned = unsafe {
            with_bound(|core| {
                let is_poisoned = core.ledger().is_poisoned(key);
                core.ledger().tell(Some(key)).map(|()| is_poisoned)
            })
        };
        if is_poisoned? {
            return Err(Self::poisoned(ident));
        }
        Ok(())
    }
}
