//! What every stream has, also one that only records: its identity, its raw stream and its end.

use std::any::type_name;
use std::fmt;

use ascendcl_sys as sys;

use crate::context::with_bound;
use crate::device::AnyDevice;
use crate::error::{Error, Result};
use crate::park::StreamKey;
use crate::pending;
use crate::raw::Handle;
use crate::state::Bound;
use crate::stream::end::{Ended, Way, end};
use crate::stream::name::tag;
use crate::stream::{AnyStream, Stream, StreamIdent, stream_key};

impl<D: AnyDevice, S: AnyStream> Stream<'_, '_, D, S> {
    /// Returns the identity of this stream among those with the tag `S`.
    #[inline(always)]
    pub(crate) fn ident(&self) -> StreamIdent<S> {
        self.ident
    }

    /// Returns the stream, for another value that stands for it.
    pub(crate) fn handle(&self) -> Handle {
        self.raw
    }

    /// Returns the key of this stream on its device.
    #[inline(always)]
    pub(crate) fn key(&self) -> StreamKey {
        stream_key::<S>(self.ident)
    }

    /// The raw stream, for calls that this crate does not have. It is null for the default stream.
    ///
    /// This crate does not know the work that is submitted through the raw stream. Keep the memory of that work alive
    /// until the stream has been synchronised, and do not destroy the stream.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::sys;
    ///
    /// let raw = stream.as_raw(); // for a function that this crate does not have
    /// let mut id = 0;
    /// // SAFETY: a live stream, and `id` is valid for a write.
    /// let code = unsafe { sys::aclrtStreamGetId(raw, &mut id) };
    /// assert_eq!(code, sys::ACL_SUCCESS);
    /// # });
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn as_raw(&self) -> sys::aclrtStream {
        if <S as tag::Tag>::HAS_HANDLE {
            self.raw.as_ptr()
        } else {
            core::ptr::null_mut()
        }
    }

    /// Stores a failure that cannot be returned here. The next wait for the stream returns it.
    #[cold]
    pub(crate) fn keep(&self, failure: Error) {
        // SAFETY: this value borrows the binding that made it.
        unsafe { with_bound(|core| core.ledger().keep(self.key(), failure)) };
    }

    /// Ends the stream. The caller does not use it again.
    pub(super) fn end(&self) -> Ended {
        let raw = <S as tag::Tag>::HAS_HANDLE.then_some(self.raw);
        // SAFETY: this value borrows the binding that made it.
        unsafe { with_bound(|core| end(raw, Way::of::<S>(), self.key(), core)) }
    }

    /// Returns the outcome of a call that may have waited for the stream. A failure poisons the stream. A success
    /// proves nothing.
    pub(crate) fn told(&mut self, call: &'static str, code: sys::aclError) -> Result<()> {
        if code == sys::ACL_SUCCESS {
            return Ok(());
        }
        Err(Self::wait_failed(self._binding, self.ident, call, code))
    }

    /// Returns the error of a wait, and poisons the stream.
    ///
    /// In this function and in those that it calls, the type, the binding and (without a name) the number identify
    /// the stream. So the success path stores nothing for a failure.
    #[cold]
    #[inline(never)]
    pub(super) fn wait_failed(
        binding: Bound<'_, (D, S)>,
        ident: StreamIdent<S>,
        call: &'static str,
        code: sys::aclError,
    ) -> Error {
        let mut error = Error::of_wait(call, code);
        if pending::of_watches() {
            let key = stream_key::<S>(ident);
            // SAFETY: `binding` comes from a stream, which borrows the binding of its thread.
            error = unsafe { with_bound(|core| core.watches().name(key, error)) };
        }
        // A call that was refused, or that the backend lacks, has not waited and has taken no report.
        if error.is_wait() {
            Self::poison(binding, ident, &error);
        }
        error
    }

    #[cold]
    pub(super) fn poison(_binding: Bound<'_, (D, S)>, ident: StreamIdent<S>, told: &Error) {
        // SAFETY: `_binding` comes from a stream, which borrows the binding of its thread.
        unsafe { with_bound(|core| core.ledger().enter(stream_key::<S>(ident), told)) };
    }
}

impl<D: AnyDevice, S: AnyStream> Drop for Stream<'_, '_, D, S> {
    fn drop(&mut self) {
        if let Err(error) = self.end().report() {
            // SAFETY: this value borrows the binding that made it.
            unsafe { with_bound(|core| core.failed_in_drop(error)) };
        }
    }
}

impl<D: AnyDevice, S: AnyStream> fmt::Debug for Stream<'_, '_, D, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Stream<{}, {}>({:?})",
            type_name::<D>(),
            self.key().label(),
            self.as_raw()
        )
    }
}
