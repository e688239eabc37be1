//! The abort of a stream: its work is dropped, and a wait proves that nothing of it runs any more.

use std::fmt;

use crate::context::{Current, with_bound};
use crate::device::limit::abort_and_wait;
use crate::device::{AnyDevice, Core, DeviceTag, unproven};
use crate::error::{Error, Result};
#[cfg(doc)]
use crate::error::{ErrorKind, Usage};
use crate::park::StreamKey;
use crate::pending;
use crate::raw::Handle;
use crate::release;
use crate::stream::{AnyStream, Created, ParkedStream, Stream, StreamTag};

/// The error of an abort. It contains the stream if that can be used again.
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// // This device has no limit, so nothing is aborted.
/// let Some(mut stream) = stream.abort().err().and_then(|refused| refused.stream) else {
///     return Ok(());
/// };
/// stream.synchronize()?;
/// # });
/// ```
pub struct Unaborted<S> {
    /// The failure of the abort, or of the wait behind it.
    pub error: Error,
    /// The stream, unless its abort has not returned.
    pub stream: Option<S>,
}

impl<S> fmt::Debug for Unaborted<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.error, f)
    }
}

impl<S> fmt::Display for Unaborted<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.error, f)
    }
}

impl<S> std::error::Error for Unaborted<S> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

impl<S> From<Unaborted<S>> for Error {
    fn from(unaborted: Unaborted<S>) -> Error {
        unaborted.error
    }
}

impl<D: AnyDevice, S: AnyStream> Stream<'_, '_, D, S> {
    /// Drops the work of the stream, also the task that runs (`aclrtStreamAbort`, pyACL `acl.rt.stream_abort`), and waits until
    /// nothing of it runs any more. [`Stream::drain`] of the same stream gives queued buffers back behind that.
    ///
    /// This is for a stream whose wait within a limit has failed, where the memory is needed again in the same program. The
    /// device needs a limit ([`Device::release_within`](crate::Device::release_within),
    /// [`Acl::on_within`](crate::Acl::on_within)), and each step here takes that at most: the wait for a host function that
    /// runs, the abort, and the wait behind it. A host function is not stopped; those that have not begun are dropped.
    ///
    /// The stream is poisoned from this call on, also if it fails: no wait vouches for dropped work, or for work behind it. Other
    /// streams that wait for this one may never end: abort them afterwards. Later waits for its older records are refused
    /// ([`Usage::RecordDropped`]), unless the event has completed before. With [`Stream::destroy`] behind it, this replaces
    /// `aclrtDestroyStreamForce`, which gives no proof that the work is over.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// use std::time::Duration;
    ///
    /// use ascendcl::{Npu, stream::Main};
    ///
    /// let limit = Duration::from_secs(5);
    /// acl.on_within::<Npu<0>, _>(0, limit, |current| {
    ///     let mut stream = current.create_stream::<Main>()?;
    ///     let work = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
    ///     if let Ok(idle) = stream.synchronize_within(limit) {
    ///         return idle.take(work).free();
    ///     }
    ///     let mut stream = stream.abort()?;
    ///     let memory = stream.drain()?.take(work); // nothing uses it any more
    ///     memory.accept_unverified().free()
    /// })?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Unaborted`] contains the stream, unless the abort has not returned within the limit. Then the stream is leaked and
    /// counted ([`leaks`](crate::leaks)), and its memory stays parked until the end of the device. The error is
    ///
    /// - [`Usage::NotAborted`] for a stream of a device without a limit, of one that has had a model, a communicator, a
    ///   channel or a graph, and for a stream that has taken memory over from another one which may still use it. Nothing was dropped.
    /// - [`Usage::Late`] when the host function, the abort or the wait has exceeded the limit. There is no proof that the work
    ///   is over: its memory stays queued.
    /// - [`ErrorKind::Refused`] with 207000 on products without the function.
    ///
    /// Products without the function, according to the manual: 310B, 310P, 910.
    #[doc(alias = "aclrtStreamAbort")]
    #[doc(alias = "aclrtDestroyStreamForce")]
    #[doc(alias = "acl.rt.stream_abort")]
    #[cold]
    pub fn abort(self) -> Result<Self, Unaborted<Self>>
    where
        S: StreamTag,
        D: DeviceTag,
        S: Created,
    {
        let (key, handle) = (self.key(), self.raw);
        // SAFETY: a live stream of the context that is current (invariant of `Stream`), which this crate has created. Nobody
        // else has it, and `after` forgets it while a call may use it.
        let abort = |core: &Core| unsafe { abort_here(core, key, handle) };
        // SAFETY: this value borrows the binding that made it.
        let aborted = unsafe { with_bound(abort) };
        after(aborted, self)
    }
}

impl<'dev, D: AnyDevice, S: StreamTag> ParkedStream<'dev, D, S> {
    /// Drops the work of the stream, as [`Stream::abort`] does (`aclrtStreamAbort`, pyACL `acl.rt.stream_abort`), behind a
    /// [`with`](ParkedStream::with) whose wait within a limit has failed: the closure has only borrowed the stream.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// use std::time::Duration;
    ///
    /// use ascendcl::{Npu, stream::Main};
    ///
    /// let limit = Duration::from_secs(5);
    /// acl.on_within::<Npu<0>, _>(0, limit, |current| {
    ///     let mut parked = current.park(current.create_stream::<Main>()?);
    ///     let work = parked.with(current, |stream| stream.memset_async(stream.malloc::<u8>(4)?, 0))?;
    ///     let is_late = parked.with(current, |stream| stream.synchronize_within(limit).is_err());
    ///     if is_late {
    ///         parked = parked.abort(current)?;
    ///     }
    ///     let memory = parked.with(current, |stream| Ok::<_, ascendcl::Error>(stream.drain()?.take(work)))?;
    ///     memory.accept_unverified().free()
    /// })?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Stream::abort`].
    ///
    /// Products without the function, according to the manual: 310B, 310P, 910.
    #[doc(alias = "aclrtStreamAbort")]
    #[doc(alias = "acl.rt.stream_abort")]
    #[cold]
    pub fn abort(self, current: Current<'_, 'dev, D>) -> Result<Self, Unaborted<Self>>
    where
        S: Created,
        D: DeviceTag,
    {
        // SAFETY: a live stream of the context that is current, which this crate has created. Nobody else has it, and `after`
        // forgets it while a call may use it.
        let aborted = unsafe { abort_here(current.core(), self.key(), self.raw) };
        after(aborted, self)
    }
}

/// Aborts a stream, and returns whether a call may use it any longer.
///
/// # Safety
///
/// - A live stream of the context of `core`, which is current and bound. This crate has created the stream, and nobody else has
///   it. It is forgotten if a call may use it any longer.
#[inline]
unsafe fn abort_here(core: &Core, key: StreamKey, handle: Handle) -> (Result<()>, bool) {
    // SAFETY: the caller's contract.
    let aborted = unsafe { abort_and_wait(core, key, handle) };
    if aborted.is_ok() {
        if pending::of_open() {
            core.open().close(key, false);
        }
        // SAFETY: a wait behind the abort has succeeded (A28), and the stream gets no work before this returns.
        let unfreed = unsafe { core.parking().stream_is_idle(key) };
        unfreed.iter().for_each(release::failed);
    }
    (aborted, core.aborts().have(key))
}

/// Returns the stream behind its abort, or forgets it while a call may use it.
fn after<S>((aborted, is_in_use): (Result<()>, bool), stream: S) -> Result<S, Unaborted<S>> {
    let Err(error) = aborted else {
        return Ok(stream);
    };
    let mut stream = Some(stream);
    if is_in_use {
        std::mem::forget(stream.take());
        release::leaked(&unproven(&error));
    }
    Err(Unaborted { error, stream })
}
