//! Parked streams: streams that belong to no thread.

use std::any::type_name;
use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::sync::Arc;

use crate::context::Current;
use crate::device::{AnyDevice, Core, OfDevice};
use crate::error::{Error, Result};
#[cfg(doc)]
use crate::error::{ErrorKind, Usage};
use crate::park::StreamKey;
use crate::park::calls;
use crate::raw::Handle;
use crate::state::Invariant;
use crate::stream::end::{Ended, Way, end, settle_in_scope};
use crate::stream::name::{StreamIdent, stream_key, tag};
use crate::stream::{Created, Distinct, Numbered, Stream, StreamBrand, StreamTag, attached};

/// A stream that belongs to no thread and can be sent to another one. [`ParkedStream::with`] and [`Current::attach`]
/// take it into use.
///
/// [`Current::park`] turns a stream into a parked one. [`Current::create_parked_stream`] creates parked streams, any
/// number of one type. Dropping a parked stream synchronises and destroys it, unless it is the default stream or a
/// [borrowed](Current::borrow_raw_stream) one.
///
/// ```
/// # ascendcl::example!(|acl| {
/// # let mut thread = Thread::claim()?;
/// # let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
/// use ascendcl::stream::Main;
///
/// let current = thread.set_current(&device)?;
/// let parked = current.park(current.create_stream::<Main>()?);
/// std::thread::scope(|scope| {
///     let worker = scope.spawn(|| -> ascendcl::Result<()> {
///         let mut thread = Thread::claim()?;
///         let current = thread.set_current(&device)?;
///         current.attach(parked).destroy() // the stream belongs to this thread now
///     });
///     assert!(worker.join().is_ok_and(|result| result.is_ok()));
/// });
/// # });
/// ```
///
/// # Invariants
///
/// The invariants of [`Stream`]. `core` belongs to the device of the stream.
pub struct ParkedStream<'dev, D: AnyDevice, S: StreamTag = Numbered> {
    pub(super) raw: Handle,
    ident: StreamIdent<S>,
    core: &'dev Arc<Core>,
    _queue: PhantomData<Invariant<(D, S)>>,
}

impl<'t, 'dev, D: AnyDevice> Current<'t, 'dev, D> {
    /// Parks a stream, so that it can be sent to another thread.
    ///
    /// While memory is lent to the device in a [scope](Current::scope), this waits for the stream first, because the
    /// scope must know whether work on that memory has failed.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let mut parked = current.park(stream); // `Send`, for a struct or another thread
    /// parked.with(current, |stream| stream.synchronize().map(drop))?;
    /// # });
    /// ```
    #[must_use]
    pub fn park<S: StreamTag>(
        self,
        mut stream: Stream<'_, 'dev, D, S>,
    ) -> ParkedStream<'dev, D, S> {
        leave(self.core(), &mut stream);
        parked(stream, self)
    }

    /// Takes a parked stream into use on this thread, permanently.
    ///
    /// If an error ends the calling function before the stream is parked again, the stream is dropped, which
    /// synchronises and destroys it. Use [`ParkedStream::with`] where the stream must stay parked on every path.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let parked = current.park(stream);
    /// let mut stream = current.attach(parked);
    /// stream.synchronize()?;
    /// # });
    /// ```
    #[must_use]
    pub fn attach<S: Distinct>(
        self,
        parked: impl OfDevice<ParkedStream<'dev, D, S>>,
    ) -> Stream<'t, 'dev, D, S> {
        let parked = ManuallyDrop::new(parked.into_inner());
        holds(parked.core, parked.key(), true);
        // INVARIANT: the stream of `parked`, whose device is current on this thread.
        attached(parked.raw, parked.ident)
    }
}

/// Parks a stream that may leave the thread.
pub(super) fn parked<'dev, D: AnyDevice, S: StreamTag>(
    stream: Stream<'_, 'dev, D, S>,
    current: Current<'_, 'dev, D>,
) -> ParkedStream<'dev, D, S> {
    let stream = ManuallyDrop::new(stream);
    holds(current.core(), stream.key(), false);
    // INVARIANT: the same stream, which is not used again as `Stream`, and whose device is current on this thread.
    ParkedStream {
        raw: stream.raw,
        ident: stream.ident,
        core: current.core(),
        _queue: PhantomData,
    }
}

/// Enters that this thread takes a stream into use, or that it parks the stream. Only a release with a limit asks for that.
#[inline]
fn holds(core: &Core, stream: StreamKey, is_in_use: bool) {
    if calls::has_limit() {
        core.ledger().set_holder(stream, is_in_use);
    }
}

/// Prepares a stream that leaves its thread. While memory is lent in a scope, this waits for the stream.
fn leave<D: AnyDevice, S: StreamTag>(core: &Core, stream: &mut Stream<'_, '_, D, S>) {
    if core.ledger().has_scopes() {
        settle_in_scope(stream.key(), core, &mut || {
            let code = stream.wait_for_loan();
            stream.loan_outcome(code)
        });
    }
}

/// A parked stream while a closure uses it. When the closure ends, also by a panic, the stream leaves the thread.
struct Attached<'t, 'dev, D: AnyDevice, S: StreamTag> {
    /// The stream of the `ParkedStream`, which destroys it.
    stream: ManuallyDrop<Stream<'t, 'dev, D, S>>,
    core: &'dev Core,
}

impl<D: AnyDevice, S: StreamTag> Drop for Attached<'_, '_, D, S> {
    fn drop(&mut self) {
        leave(self.core, &mut self.stream);
        holds(self.core, self.stream.key(), false);
    }
}

impl<'dev, D: AnyDevice, S: StreamTag> ParkedStream<'dev, D, S> {
    /// Calls `f` with the stream on this thread, as a stream with the tag `X`.
    ///
    /// The caller ensures that only this stream and its memory have the tag `X`.
    fn lend<'t, X: StreamTag<Ident = StreamIdent<S>>, T>(
        &mut self,
        _current: Current<'t, 'dev, D>,
        f: impl FnOnce(&mut Stream<'t, 'dev, D, X>) -> T,
    ) -> T {
        let mut attached = Attached {
            // INVARIANT: the stream of `self`, which is borrowed meanwhile, and whose device is current on this
            // thread.
            stream: ManuallyDrop::new(attached(self.raw, self.ident)),
            core: self.core,
        };
        holds(self.core, self.key(), true);
        f(&mut attached.stream)
    }

    /// Synchronises and destroys the stream (`aclrtDestroyStream`, pyACL `acl.rt.destroy_stream`).
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let parked = current.create_parked_stream()?;
    /// parked.destroy(current)?; // a drop destroys it too, and its error goes to the hook for failed releases
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Wait`] when a task failed, [`Usage::StreamPoisoned`] when a wait for the whole device has failed,
    /// and [`Usage::HostFuncPanicked`] when a host function has panicked. The stream is gone all the same; if it has
    /// a name, the name stays taken. When no wait succeeds, the stream is not destroyed.
    #[doc(alias = "aclrtDestroyStream")]
    #[doc(alias = "acl.rt.destroy_stream")]
    pub fn destroy(self, _current: Current<'_, 'dev, D>) -> Result<()>
    where
        S: Created,
    {
        // The context of the stream is current, so no other thread is needed.
        ManuallyDrop::new(self).end().destroyed()
    }

    /// Destroys the stream, and returns the reason if it was never destroyed, because no wait for it has succeeded.
    pub(crate) fn give_up(self, _current: Current<'_, 'dev, D>) -> Option<Error> {
        ManuallyDrop::new(self).end().given_up()
    }

    /// Whether a wait for the stream proves nothing any more.
    pub(crate) fn is_poisoned(&self) -> bool {
        self.core.ledger().is_poisoned(self.key())
    }

    /// Ends the stream, whose context is current. The caller does not use it again.
    fn end(&self) -> Ended {
        let raw = <S as tag::Tag>::HAS_HANDLE.then_some(self.raw);
        end(raw, Way::of::<S>(), self.key(), self.core)
    }

    pub(super) fn key(&self) -> StreamKey {
        stream_key::<S>(self.ident)
    }
}

impl<'dev, D: AnyDevice, S: Distinct> ParkedStream<'dev, D, S> {
    /// Takes the stream into use on this thread while `f` runs. Afterwards it is parked again, also when `f` returns
    /// an error or panics.
    ///
    /// The work that `f` has queued continues. If a wait in `f` has failed, the stream stays poisoned: the next
    /// [`synchronize`](Stream::synchronize) returns [`Usage::StreamPoisoned`], on this or another thread. While
    /// memory is lent to the device in a [scope](Current::scope), the end of `with` waits for the stream, as
    /// [`Current::park`] does. If that wait fails, the next wait for the stream returns the error.
    ///
    /// ```
    /// fn twice(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
    ///     use ascendcl::{Current, Npu, ParkedStream, Result, Thread, stream::Main};
    ///
    ///     type Parked<'dev> = ParkedStream<'dev, Npu<0>, Main>;
    ///     fn fill<'dev>(current: Current<'_, 'dev, Npu<0>>, parked: &mut Parked<'dev>) -> Result<()> {
    ///         parked.with(current, |stream| {
    ///             let buf = stream.adopt(current.malloc::<u32>(16)?); // an error here keeps the stream
    ///             let buf = stream.memset_async(buf, 7)?;
    ///             stream.synchronize()?.take(buf).free()
    ///         })
    ///     }
    ///
    ///     let mut thread = Thread::claim()?;
    ///     let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    ///     let current = thread.set_current(&device)?;
    ///     let mut parked = current.park(current.create_stream()?);
    ///     fill(current, &mut parked)?;
    ///     fill(current, &mut parked)
    /// }
    /// # ascendcl::example!(|acl| { twice(&acl)?; });
    /// ```
    pub fn with<'t, T>(
        &mut self,
        current: impl OfDevice<Current<'t, 'dev, D>>,
        f: impl FnOnce(&mut Stream<'t, 'dev, D, S>) -> T,
    ) -> T {
        self.lend(current.into_inner(), f)
    }
}

impl<'dev, D: AnyDevice> ParkedStream<'dev, D, Numbered> {
    /// Takes the stream into use on this thread while `f` runs, under a brand that no other stream has. Afterwards
    /// the stream is parked again, also when `f` returns an error or panics.
    ///
    /// Memory of the stream has the brand too, so it cannot leave the closure.
    /// [`Queued::unbrand`](crate::Queued::unbrand) removes the brand, and [`Stream::rebrand`] gives the memory the
    /// brand of the next call.
    ///
    /// The work that `f` has queued continues. If a wait in `f` has failed, the stream stays poisoned: the next
    /// [`synchronize`](Stream::synchronize) returns [`Usage::StreamPoisoned`], on this or another thread. Create
    /// another stream with [`Current::create_parked_stream`] then. While memory is lent to the device in a
    /// [scope](Current::scope), the end of `with` waits for the stream, as [`Current::park`] does. If that wait
    /// fails, the next wait for the stream returns the error.
    ///
    /// [`Current::create_parked_stream`] has an example.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let mut lane = current.create_parked_stream()?;
    /// let zeros = lane.with(current, |stream| -> ascendcl::Result<_> {
    ///     let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
    ///     Ok(stream.synchronize()?.take(zeros)) // idle memory has no brand
    /// })?;
    /// zeros.free()?;
    /// # });
    /// ```
    pub fn with<'t, T>(
        &mut self,
        current: impl OfDevice<Current<'t, 'dev, D>>,
        f: impl for<'id> FnOnce(&mut Stream<'t, 'dev, D, StreamBrand<'id>>) -> T,
    ) -> T {
        self.lend(
            current.into_inner(),
            |stream: &mut Stream<'t, 'dev, D, StreamBrand<'_>>| f(stream),
        )
    }

    /// The number of the stream, which no other stream of the process has. Errors and [`Debug`](fmt::Debug) identify
    /// the stream by it.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let (first, second) = (current.create_parked_stream()?, current.create_parked_stream()?);
    /// assert_ne!(first.number(), second.number());
    /// # });
    /// ```
    #[must_use]
    pub fn number(&self) -> u64 {
        self.ident
    }
}

impl<'dev, D: AnyDevice> ParkedStream<'dev, D, StreamBrand<'_>> {
    /// Removes the brand, so that the stream can leave its closure and be stored with other streams in one
    /// collection.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let parked = current.with_stream(|stream| current.park(stream).unbrand())?;
    /// let pool = vec![parked, current.create_parked_stream()?]; // one type
    /// # });
    /// ```
    #[must_use]
    pub fn unbrand(self) -> ParkedStream<'dev, D, Numbered> {
        let parked = ManuallyDrop::new(self);
        // INVARIANT: the stream of `self`, which is not used again.
        ParkedStream {
            raw: parked.raw,
            ident: parked.ident,
            core: parked.core,
            _queue: PhantomData,
        }
    }
}

impl<D: AnyDevice, S: StreamTag> Drop for ParkedStream<'_, D, S> {
    fn drop(&mut self) {
        // The context of the stream must be current for the destruction (107003).
        let ended = self.core.elsewhere(|| Ok(self.end()));
        if let Err(error) = ended.and_then(Ended::report) {
            self.core.failed_in_drop(error);
        }
    }
}

impl<D: AnyDevice, S: StreamTag> fmt::Debug for ParkedStream<'_, D, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (device, stream) = (type_name::<D>(), self.key().label());
        write!(f, "ParkedStream<{device}, {stream}>")
    }
}
