//! Streams: in-order queues of work (`acl/acl_rt.h`; manual chapter 06).

// The type, its waits and their proofs are here. `wait` has what a wait does behind its call, and `any` the failure of one;
// `end` the last wait and the destruction, and `loan` the waits for memory that a call has borrowed. The work of a stream,
// such as copies, is in `crate::queue`.

mod abort;
mod any;
mod borrowed;
mod config;
mod create;
mod end;
#[cfg(feature = "async")]
mod future;
mod loan;
pub(crate) mod name;
mod parked;
mod wait;

use std::any::type_name;
use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::time::Duration;

use ascendcl_sys as sys;

pub use abort::Unaborted;
pub use config::{Priority, StreamConfig, StreamFlags};
#[cfg(feature = "async")]
pub use future::{Completed, Synchronized};
#[cfg(feature = "graphs")]
pub use name::GraphBrand;
pub(crate) use name::{AnyStream, Created, Distinct, StreamTag};
pub use name::{DefaultName, Main, Numbered, StreamBrand, StreamName};
pub(crate) use name::{StreamIdent, stream_key};
pub use parked::ParkedStream;
pub(crate) use wait::needs_checks;

use crate::context::with_bound;
pub(crate) use crate::device::limit::millis;
use crate::device::{AnyDevice, Core, wait_for_proof};
use crate::error::{Error, Result};
#[cfg(doc)]
use crate::error::{ErrorKind, Usage};
use crate::pending;
use crate::raw::{Handle, check};
use crate::state::{Bound, Invariant};

/// An in-order queue of work on device `D`, named `S`.
///
/// `S` is a [`StreamName`], or a [`StreamBrand`] where the number of streams is known only at run time.
/// [`StreamTag`] lists all tags.
///
/// A stream stays on the thread that is bound to its device, and borrows the binding. Binding another device while
/// the stream is in use does not compile. Dropping a stream synchronises and destroys it, unless it is the default
/// stream or a [borrowed](crate::Current::borrow_raw_stream) one. Those two streams continue to run their work.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// use ascendcl::stream::Main;
///
/// let mut stream = current.create_stream::<Main>()?;
/// let numbers = stream.malloc_host_from(host, &[1.0_f32, 2.0])?;
/// let on_device = stream.memcpy_async(stream.malloc(2)?, &numbers)?; // queued, and not waited for
/// let on_device = stream.synchronize()?.take(on_device); // now the program has the memory
/// stream.destroy()?;
/// # });
/// ```
///
/// # Invariants
///
/// - `raw` is a live stream of the context of `D`, or a placeholder for its default stream where `S` is
///   [`DefaultName`]. A wait for the stream that succeeds proves that all its work is over.
/// - No other live stream of the device has the same key: the name `S`, or the number `ident`.
/// - Where `S` is a [`StreamBrand`], all values with that brand belong to the stream with that number.
pub struct Stream<'t, 'dev, D: AnyDevice, S: AnyStream = Main> {
    raw: Handle,
    /// The identity of this stream among those with the tag `S`. In a stream with a name it has no size.
    ident: StreamIdent<S>,
    _binding: Bound<'t, (D, S)>,
    _device: PhantomData<&'dev ()>,
}

/// The default stream of a context. The runtime creates it with the context, and this crate never destroys it.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// let mut stream = current.default_stream()?;
/// let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
/// stream.synchronize()?.take(zeros).free()?;
/// # });
/// ```
pub type DefaultStream<'t, 'dev, D> = Stream<'t, 'dev, D, DefaultName>;

/// Proof that all work of a stream is over and has succeeded. The stream stays borrowed, so no new work is submitted
/// while the proof is used.
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
/// let ones = stream.memset_async(stream.malloc::<u8>(4)?, 1)?;
/// let idle = stream.synchronize()?; // one wait for any number of buffers
/// let (zeros, ones) = (idle.take(zeros), idle.take(ones));
/// # });
/// ```
///
/// # Invariants
///
/// A wait for the stream of the queue `Q` has succeeded, its ledger knows no failure of the stream, and `'s` is the borrow of the
/// stream by that wait.
pub struct Idle<'s, Q> {
    _stream: PhantomData<(&'s mut (), Invariant<Q>)>,
}

/// Proof that all work of a stream is over. It is not known whether the work has succeeded.
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
/// let drained = stream.drain()?; // works also after a failure
/// let memory = drained.take(zeros).accept_unverified(); // may hold older bytes
/// # });
/// ```
pub struct Drained<'s, Q> {
    _stream: PhantomData<(&'s mut (), Invariant<Q>)>,
}

impl<Q> fmt::Debug for Idle<'_, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Idle<{}>", type_name::<Q>())
    }
}

impl<Q> fmt::Debug for Drained<'_, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Drained<{}>", type_name::<Q>())
    }
}

/// The state of a stream: whether it has unfinished work.
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// use ascendcl::stream::StreamStatus;
///
/// let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
/// if stream.query()? == StreamStatus::NotReady {
///     println!("the host has time for other work");
/// }
/// # });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamStatus {
    /// All work is over. In CANN's default failure mode that does not mean that it has succeeded;
    /// [`Stream::synchronize`] reports a failure.
    Complete,
    /// Work is queued or running.
    NotReady,
}

/// Makes a stream on the calling thread. The caller ensures the invariants of [`Stream`].
pub(crate) fn attached<'t, 'dev, D: AnyDevice, S: AnyStream>(
    raw: Handle,
    ident: StreamIdent<S>,
) -> Stream<'t, 'dev, D, S> {
    Stream {
        raw,
        ident,
        _binding: PhantomData,
        _device: PhantomData,
    }
}

impl<D: AnyDevice, S: AnyStream> Stream<'_, '_, D, S> {
    /// Waits until all work of the stream is over (`aclrtSynchronizeStream`, pyACL `acl.rt.synchronize_stream`). The
    /// returned [`Idle`] turns queued buffers into plain buffers.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
    /// let idle = stream.synchronize()?; // all work of the stream has succeeded
    /// idle.take(zeros).free()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Wait`] when a task failed. The runtime reports each failure once, so a later wait that succeeds
    /// proves nothing about the failed work. Therefore the stream is poisoned: from then on this call returns
    /// [`Usage::StreamPoisoned`], and [`Stream::drain`] gives buffers back unverified. [`Usage::HostFuncPanicked`]
    /// poisons the stream, too.
    ///
    /// A poisoned stream still accepts work, so that memory can be written again. Work that reads the memory of a
    /// failed task reads older or arbitrary data, and no wait proves its results. From the first error on, the
    /// emulator's checker reports this work (`failed-result`). After an error, do not use the memory before it has
    /// been written completely.
    #[doc(alias = "aclrtSynchronizeStream")]
    #[doc(alias = "acl.rt.synchronize_stream")]
    #[inline(always)]
    pub fn synchronize(&mut self) -> Result<Idle<'_, (D, S)>>
    where
        S: StreamTag,
    {
        let code = self.wait_status();
        if needs_checks(code) {
            Self::resolve_wait(self._binding, self.ident, code)?;
        }
        // INVARIANT: the wait has succeeded, and nothing has failed before, or the ledger was asked.
        Ok(Idle {
            _stream: PhantomData,
        })
    }

    /// Waits until all work of the stream is over, whether it succeeded or not. The returned [`Drained`] gives queued
    /// buffers back unverified.
    ///
    /// This waits without a limit, also on a device that was opened by [`Acl::on_within`](crate::Acl::on_within). If the work
    /// may hang, [`abort`](Stream::abort) the stream before.
    ///
    /// This works on a poisoned stream, and does not report the earlier failure again. A new failure is returned by
    /// the next wait for the stream, or by its destruction.
    ///
    /// A success is no proof that the memory can be read. If a task has failed, this call receives the only report of
    /// the runtime and returns `Ok`. Memory that stays queued then remains a source of later work on the stream, and
    /// the runtime executes that work. A copy from the destination of a failed copy reads older data, or, in fresh
    /// device memory, arbitrary data. No wait for this stream verifies the result. The emulator's checker reports
    /// such a copy (`failed-result`). To be safe, take all memory of the stream with [`Drained::take`], and write it
    /// completely before it is read again.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
    /// let zeros = stream.drain()?.take(zeros); // the work is over, and may have failed
    /// let zeros = stream.synchronize()?.verify(zeros); // it has succeeded
    /// zeros.free()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Wait`] when the wait fails repeatedly. There is no proof then that the work is over.
    pub fn drain(&mut self) -> Result<Drained<'_, (D, S)>>
    where
        S: StreamTag,
    {
        // A failure poisons the stream. A repeated wait proves that the queue is empty.
        let failure = wait_for_proof(&mut || self.wait_for_all())?;
        let has_succeeded = failure.is_none();
        if let Some(first) = failure {
            self.keep(first);
        }
        if pending::of_open() {
            let is_poisoned = |core: &Core| core.ledger().is_poisoned(self.key());
            // SAFETY: this value borrows the binding that made it.
            let is_proven = has_succeeded && !unsafe { with_bound(is_poisoned) };
            Self::close_tasks(self._binding, self.ident, is_proven);
        }
        Ok(Drained {
            _stream: PhantomData,
        })
    }

    /// Waits until all work of the stream is over, for a limited time (`aclrtSynchronizeStreamWithTimeout`, pyACL
    /// `acl.rt.synchronize_stream_with_timeout`). The limit is rounded up to milliseconds.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use std::time::Duration;
    ///
    /// let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
    /// let idle = stream.synchronize_within(Duration::from_secs(60))?;
    /// idle.take(zeros).free()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Stream::synchronize`]. Also [`ErrorKind::Wait`] with 507046 when the time limit is exceeded: then the
    /// work continues, the stream is not poisoned, and the wait can be repeated. [`Usage::Timeout`] for a limit of
    /// zero, or more than C's `int32_t` of milliseconds.
    #[doc(alias = "aclrtSynchronizeStreamWithTimeout")]
    pub fn synchronize_within(&mut self, limit: Duration) -> Result<Idle<'_, (D, S)>>
    where
        S: StreamTag,
    {
        let millis = millis(limit)?;
        // SAFETY: a live stream (invariant of `Stream`).
        let code = unsafe { sys::aclrtSynchronizeStreamWithTimeout(self.as_raw(), millis) };
        let call = "aclrtSynchronizeStreamWithTimeout";
        if code == sys::ACL_ERROR_RT_STREAM_SYNC_TIMEOUT {
            // The work goes on: this is no report of a failure, and poisons nothing.
            return Err(Error::of_wait(call, code));
        }
        self.told(call, code)?;
        if pending::word() != 0 {
            Self::resolve_wait(self._binding, self.ident, code)?;
        }
        // INVARIANT: as in `synchronize`.
        Ok(Idle {
            _stream: PhantomData,
        })
    }

    /// Returns whether the stream has unfinished work (`aclrtStreamQuery`, pyACL `acl.rt.stream_query`). Does not
    /// wait.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::stream::StreamStatus;
    ///
    /// stream.synchronize()?;
    /// assert_eq!(stream.query()?, StreamStatus::Complete);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    #[doc(alias = "aclrtStreamQuery")]
    #[doc(alias = "acl.rt.stream_query")]
    pub fn query(&self) -> Result<StreamStatus>
    where
        S: StreamTag,
    {
        let mut status = sys::ACL_STREAM_STATUS_NOT_READY;
        // SAFETY: a live stream, and `status` is valid for a write.
        let code = unsafe { sys::aclrtStreamQuery(self.as_raw(), &raw mut status) };
        check("aclrtStreamQuery", code)?;
        Ok(if status == sys::ACL_STREAM_STATUS_COMPLETE {
            StreamStatus::Complete
        } else {
            StreamStatus::NotReady
        })
    }

    /// Synchronises and destroys the stream (`aclrtDestroyStream`, pyACL `acl.rt.destroy_stream`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// stream.destroy()?; // a drop destroys it too, and its error goes to the hook for failed releases
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Wait`] when a task failed; `aclrtDestroyStream` alone would not report it (observed, CANN runtime
    /// 1.17). [`Usage::StreamPoisoned`] when a wait for the whole device has failed, and [`Usage::HostFuncPanicked`]
    /// when a host function has panicked. The stream is gone all the same, and its name stays taken. When no wait
    /// succeeds, the stream is not destroyed.
    #[doc(alias = "aclrtDestroyStream")]
    #[doc(alias = "acl.rt.destroy_stream")]
    pub fn destroy(self) -> Result<()>
    where
        S: StreamTag,
        S: Created,
    {
        let ended = ManuallyDrop::new(self).end();
        ended.destroyed()
    }
}
