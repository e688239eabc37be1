//! Closures that a thread of the program runs for its streams.

use std::ffi::c_ulong;
use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, Weak};
use std::time::Duration;

use ascendcl_sys as sys;

use crate::callback::HostOperand;
use crate::callback::job::lent;
use crate::context::{Current, with_bound};
use crate::device::{AnyDevice, SameDevice};
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Result, Usage};
use crate::outcome::ContinuesAfterFailure;
use crate::queue::{OfOtherStream, Queue};
use crate::raw::{check, recent_error_text};
use crate::state::{Bound, Invariant};
use crate::stream::{AnyStream, Numbered, Stream, StreamBrand, StreamTag, millis};

/// The length of each call of a wait without a limit. Behind each it checks whether a stream is still subscribed.
const SLICE: Duration = Duration::from_millis(100);

unsafe extern "C" {
    /// The number of a thread for AscendCL. Rust gives it to the thread itself only.
    safe fn pthread_self() -> c_ulong;
}

/// The calling thread in its role as the one that runs callbacks of streams of device `D`.
///
/// It serves any number of streams. Other threads subscribe their streams to it by its [id](ReportThread::id). The
/// callbacks run only inside [`process_report`](ReportThread::process_report), so the thread follows these rules:
///
/// - It calls `process_report` until that returns [`Report::NoStream`].
/// - It never waits for one of its streams, nor for their device: their callbacks would not run meanwhile.
/// - It lives as long as a stream is subscribed. If it ends earlier with callbacks left, their stream never ends, and
///   neither does a wait for the stream, its drop, or the reset of its device. The system may also give the thread's
///   number to another thread, and the runtime would call that one.
/// - After an error it waits a moment for a message that the streams have ended, and calls again if none comes: one
///   call may fail and the next succeed, but on a lost device each call fails at once.
/// - A stream whose destruction was refused stays subscribed, so the thread looks for that message after
///   [`Report::TimeUp`] too.
///
/// ```
/// fn count(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
///     use std::sync::mpsc::{RecvTimeoutError, TryRecvError, channel};
///     use std::time::Duration;
///     use ascendcl::{Npu, Thread, callback::Report, stream::Main};
///
///     let mut thread = Thread::claim()?;
///     let device = &acl.set_device::<Npu<0>>(&mut thread, 0)?;
///     std::thread::scope(|scope| {
///         // Inside the scope: an error that leaves it drops `go`, and the thread sees that the stream has ended.
///         let ((ready, id), (go, subscribed)) = (channel(), channel());
///         let server = scope.spawn(move || -> ascendcl::Result<()> {
///             let mut thread = Thread::claim()?;
///             let mut reports = thread.set_current(device)?.report_thread();
///             ready.send(reports.id()).unwrap();
///             // Nothing comes when the other thread has failed.
///             let Ok(()) = subscribed.recv() else { return Ok(()) };
///             let pause = Duration::from_millis(100);
///             loop {
///                 match reports.process_report(Some(pause)) {
///                     Ok(Report::NoStream) => return Ok(()),
///                     Ok(Report::Called) => {}
///                     Ok(Report::TimeUp) if subscribed.try_recv() != Err(TryRecvError::Disconnected) => {}
///                     Ok(Report::TimeUp) => return Ok(()),
///                     Err(error) => match subscribed.recv_timeout(pause) {
///                         Err(RecvTimeoutError::Disconnected) => return Err(error),
///                         _ => {}
///                     },
///                 }
///             }
///         });
///         let mut stream = thread.set_current(device)?.create_stream::<Main>()?;
///         let subscription = stream.subscribe_report(&id.recv().unwrap())?;
///         go.send(()).unwrap();
///         stream.launch_callback(&subscription, || println!("half of the work is done"))?;
///         stream.unsubscribe_report(subscription)?;
///         drop((stream, go));
///         server.join().unwrap()
///     })
/// }
/// # ascendcl::example!(|acl| { count(&acl)?; });
/// ```
pub struct ReportThread<'t, 'dev, D: AnyDevice> {
    thread: c_ulong,
    alive: Arc<()>,
    _binding: Bound<'t, D>,
    _device: PhantomData<&'dev ()>,
}

/// The id of a thread that runs callbacks of device `D`.
///
/// ```
/// use ascendcl::callback::{ReportThreadId, Subscribed};
/// use ascendcl::stream::Main;
/// use ascendcl::{Npu, Result, Stream};
///
/// // The id of the thread that serves the callbacks goes to the threads that have the streams.
/// fn subscribe(
///     stream: &mut Stream<'_, '_, Npu<0>, Main>,
///     server: &ReportThreadId<Npu<0>>,
/// ) -> Result<Subscribed<(Npu<0>, Main)>> {
///     stream.subscribe_report(server)
/// }
/// ```
pub struct ReportThreadId<D> {
    thread: c_ulong,
    /// Dropped with the `ReportThread`: the system may give the number of an ended thread to another thread.
    alive: Weak<()>,
    _device: Invariant<D>,
}

/// The result of [`ReportThread::process_report`].
///
/// ```
/// use ascendcl::callback::{Report, ReportThread};
/// use ascendcl::{Npu, Result};
///
/// /// Runs callbacks until no stream is subscribed.
/// fn serve(thread: &mut ReportThread<'_, '_, Npu<0>>) -> Result<()> {
///     while thread.process_report(None)? != Report::NoStream {}
///     Ok(())
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "it says whether there is a stream left to serve"]
pub enum Report {
    /// One callback or several have run.
    Called,
    /// The time was up.
    TimeUp,
    /// No stream is subscribed to this thread.
    NoStream,
}

/// The subscription of a stream, the queue `Q`, to the thread that runs its callbacks.
///
/// [`Stream::unsubscribe_report`] ends it, or the end of the stream.
///
/// ```
/// use ascendcl::callback::Subscribed;
/// use ascendcl::stream::Main;
/// use ascendcl::{Npu, Result, Stream};
///
/// /// Prints a line when the work that was queued before is over.
/// fn notify(
///     stream: &mut Stream<'_, '_, Npu<0>, Main>,
///     subscribed: &Subscribed<(Npu<0>, Main)>,
/// ) -> Result<()> {
///     stream.launch_callback(subscribed, || println!("the batch is done"))
/// }
/// ```
#[must_use = "callbacks are launched with it"]
pub struct Subscribed<Q: Queue> {
    thread: ReportThreadId<Q::Device>,
    /// The number of the subscription: a later stream may have the same name and a subscription of its own.
    number: u64,
    /// The stream that is subscribed.
    stream: Q::Stream,
    _queue: Invariant<Q>,
}

impl<D: AnyDevice> Subscribed<(D, StreamBrand<'_>)> {
    /// Removes the brand, so that the subscription can leave the closure in which its stream has the brand. Makes no
    /// runtime call. [`Stream::rebrand_subscribed`] adds the brand again.
    ///
    /// ```
    /// use ascendcl::callback::{ReportThreadId, Subscribed};
    /// use ascendcl::stream::Numbered;
    /// use ascendcl::{Current, Npu, ParkedStream, Result};
    ///
    /// type D = Npu<0>;
    ///
    /// /// Subscribes a stream without a name. The subscription is kept beside the parked stream.
    /// fn subscribe<'dev>(
    ///     current: Current<'_, 'dev, D>,
    ///     lane: &mut ParkedStream<'dev, D>,
    ///     server: &ReportThreadId<D>,
    /// ) -> Result<Subscribed<(D, Numbered)>> {
    ///     lane.with(current, |stream| Ok(stream.subscribe_report(server)?.unbrand()))
    /// }
    /// ```
    pub fn unbrand(self) -> Subscribed<(D, Numbered)> {
        Subscribed {
            thread: self.thread,
            number: self.number,
            stream: self.stream,
            _queue: PhantomData,
        }
    }
}

impl<D: AnyDevice> Subscribed<(D, Numbered)> {
    /// Returns the number of the stream that is subscribed, as
    /// [`ParkedStream::number`](crate::stream::ParkedStream::number) does.
    ///
    /// ```
    /// use ascendcl::callback::Subscribed;
    /// use ascendcl::stream::Numbered;
    /// use ascendcl::{Npu, ParkedStream};
    ///
    /// type D = Npu<0>;
    ///
    /// fn belong_together(lane: &ParkedStream<'_, D>, subscribed: &Subscribed<(D, Numbered)>) -> bool {
    ///     subscribed.stream_number() == lane.number()
    /// }
    /// ```
    #[must_use]
    pub fn stream_number(&self) -> u64 {
        self.stream
    }
}

impl<'id, D: AnyDevice> Stream<'_, '_, D, StreamBrand<'id>> {
    /// Adds the brand of this stream to its subscription, after a comparison of the stream numbers. Makes no runtime
    /// call.
    ///
    /// ```
    /// use ascendcl::callback::Subscribed;
    /// use ascendcl::stream::Numbered;
    /// use ascendcl::{Current, Npu, ParkedStream, Result};
    ///
    /// type D = Npu<0>;
    ///
    /// fn notify<'dev>(
    ///     current: Current<'_, 'dev, D>,
    ///     lane: &mut ParkedStream<'dev, D>,
    ///     subscribed: Subscribed<(D, Numbered)>,
    /// ) -> Result<Subscribed<(D, Numbered)>> {
    ///     lane.with(current, |stream| {
    ///         let subscribed = stream.rebrand_subscribed(subscribed)?;
    ///         stream.launch_callback(&subscribed, || println!("the batch is done"))?;
    ///         Ok(subscribed.unbrand())
    ///     })
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`OfOtherStream`] returns the subscription if it is that of another stream ([`Usage::OtherStream`]).
    pub fn rebrand_subscribed(
        &self,
        subscribed: Subscribed<(D, Numbered)>,
    ) -> Result<Subscribed<(D, StreamBrand<'id>)>, OfOtherStream<Subscribed<(D, Numbered)>>> {
        let (memory, stream) = (subscribed.stream_number(), self.number());
        if memory != stream {
            return Err(OfOtherStream {
                error: Usage::OtherStream { memory, stream }.into(),
                queued: subscribed,
            });
        }
        // INVARIANT: no other stream has the number, so it is the same stream.
        Ok(Subscribed {
            thread: subscribed.thread,
            number: subscribed.number,
            stream,
            _queue: PhantomData,
        })
    }
}

impl<'t, 'dev, D: AnyDevice> Current<'t, 'dev, D> {
    /// Makes the calling thread one that runs callbacks of streams of this device.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::callback::Report;
    ///
    /// let mut reports = current.report_thread();
    /// assert_eq!(reports.process_report(None)?, Report::NoStream); // nothing is subscribed to this thread
    /// # });
    /// ```
    #[must_use]
    pub fn report_thread(self) -> ReportThread<'t, 'dev, D> {
        ReportThread {
            thread: pthread_self(),
            alive: Arc::new(()),
            _binding: PhantomData,
            _device: PhantomData,
        }
    }
}

impl<D: AnyDevice> ReportThread<'_, '_, D> {
    /// The id of this thread, for threads that subscribe their streams to it.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::callback::ReportThreadId;
    ///
    /// let reports = current.report_thread();
    /// let id: ReportThreadId<Npu<0>> = reports.id(); // to the threads that have the streams
    /// # });
    /// ```
    #[must_use]
    pub fn id(&self) -> ReportThreadId<D> {
        ReportThreadId {
            thread: self.thread,
            alive: Arc::downgrade(&self.alive),
            _device: PhantomData,
        }
    }

    /// Waits until callbacks of this thread's streams are ready, and runs them (`aclrtProcessReport`, pyACL
    /// `acl.rt.process_report`).
    ///
    /// The limit is rounded up to milliseconds. `None` waits until no stream is subscribed any more; it is several
    /// calls of C then, because nothing wakes a waiting thread when its last stream ends.
    ///
    /// ```
    /// use ascendcl::callback::{Report, ReportThread};
    /// use ascendcl::{Npu, Result};
    /// use std::time::Duration;
    ///
    /// /// Runs callbacks until no stream is subscribed, and prints a line each second.
    /// fn serve(thread: &mut ReportThread<'_, '_, Npu<0>>) -> Result<()> {
    ///     loop {
    ///         match thread.process_report(Some(Duration::from_secs(1)))? {
    ///             Report::Called => {}
    ///             Report::TimeUp => println!("waiting for work"),
    ///             Report::NoStream => return Ok(()),
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]; on a lost device each call fails at once. [`Usage::Timeout`] for a limit of zero, or
    /// of more than C's `int32_t` of milliseconds. The end of the time and the lack of streams are no errors but
    /// values of [`Report`].
    #[doc(alias = "aclrtProcessReport")]
    #[doc(alias = "acl.rt.process_report")]
    pub fn process_report(&mut self, limit: Option<Duration>) -> Result<Report> {
        let millis = millis(limit.unwrap_or(SLICE))?;
        loop {
            // SAFETY: takes a number; what it calls is what `Stream::launch` has queued.
            let code = unsafe { sys::aclrtProcessReport(millis) };
            let report = match code {
                sys::ACL_ERROR_RT_REPORT_TIMEOUT => Report::TimeUp,
                sys::ACL_ERROR_RT_THREAD_SUBSCRIBE => Report::NoStream,
                _ => return check("aclrtProcessReport", code).map(|()| Report::Called),
            };
            // An ordinary outcome leaves no text for the next error.
            drop(recent_error_text());
            if report == Report::NoStream || limit.is_some() {
                return Ok(report);
            }
        }
    }
}

impl<D> ReportThreadId<D> {
    /// Fails if the thread has ended or is the calling thread.
    fn check(&self) -> Result<()> {
        if self.alive.strong_count() == 0 {
            return Err(Usage::ReportThreadGone.into());
        }
        if self.thread == pthread_self() {
            return Err(Usage::OwnReportThread.into());
        }
        Ok(())
    }
}

impl<D: AnyDevice, S: AnyStream> Stream<'_, '_, D, S> {
    /// Lets `thread` run the callbacks of this stream (`aclrtSubscribeReport`, pyACL `acl.rt.subscribe_report`).
    ///
    /// At most 1024 threads of a process can serve streams; the manual advises 32 (chapter 12).
    ///
    /// ```
    /// use ascendcl::callback::ReportThreadId;
    /// use ascendcl::stream::Main;
    /// use ascendcl::{Npu, Result, Stream};
    ///
    /// fn call_back(stream: &mut Stream<'_, '_, Npu<0>, Main>, server: &ReportThreadId<Npu<0>>) -> Result<()> {
    ///     let subscribed = stream.subscribe_report(server)?;
    ///     stream.launch_callback(&subscribed, || println!("called on the thread of `server`"))?;
    ///     stream.unsubscribe_report(subscribed) // waits for the stream
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] with 107011 when the stream has a thread already, or runs [host
    /// functions](Stream::launch_host_func). [`Usage::OwnReportThread`] for the calling thread: it could not wait for
    /// the stream and run its callbacks. [`Usage::ReportThreadGone`] when the thread has ended.
    #[doc(alias = "aclrtSubscribeReport")]
    #[doc(alias = "acl.rt.subscribe_report")]
    pub fn subscribe_report(
        &mut self,
        thread: &ReportThreadId<impl SameDevice<D>>,
    ) -> Result<Subscribed<(D, S)>>
    where
        S: StreamTag,
    {
        thread.check()?;
        // SAFETY: a live stream of the current context (invariant of `Stream`).
        let code = unsafe { sys::aclrtSubscribeReport(thread.thread, self.as_raw()) };
        check("aclrtSubscribeReport", code)?;
        Ok(Subscribed {
            thread: ReportThreadId {
                thread: thread.thread,
                alive: Weak::clone(&thread.alive),
                _device: PhantomData,
            },
            // SAFETY: this value borrows the binding that made it.
            number: unsafe { with_bound(|core| core.ledger().subscribe(self.key())) },
            stream: self.ident(),
            _queue: PhantomData,
        })
    }

    /// Fails if the subscription was that of an earlier stream of this name.
    fn check_subscription(&self, subscribed: &Subscribed<(D, S)>) -> Result<()>
    where
        S: StreamTag,
    {
        let key = self.key();
        // SAFETY: this value borrows the binding that made it.
        if unsafe { with_bound(|core| core.ledger().has_subscription(key, subscribed.number)) } {
            return Ok(());
        }
        Err(Usage::SubscriptionEnded.into())
    }

    /// Waits until the work of this stream is over and ends the subscription (`aclrtUnSubscribeReport`, pyACL
    /// `acl.rt.unsubscribe_report`). If work has failed, the stream's next wait returns the error.
    ///
    /// ```
    /// use ascendcl::callback::Subscribed;
    /// use ascendcl::stream::Main;
    /// use ascendcl::{Npu, Result, Stream};
    ///
    /// fn end(stream: &mut Stream<'_, '_, Npu<0>, Main>, subscribed: Subscribed<(Npu<0>, Main)>) -> Result<()> {
    ///     stream.launch_callback(&subscribed, || println!("the last one"))?;
    ///     stream.unsubscribe_report(subscribed) // waits until it has been called
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::ReportThreadGone`] when callbacks are left and their thread has ended, [`Usage::OwnReportThread`],
    /// [`Usage::SubscriptionEnded`], [`ErrorKind::Wait`] when a repeated wait fails too, and [`ErrorKind::Refused`].
    /// After an error the subscription lasts until the stream ends.
    #[doc(alias = "aclrtUnSubscribeReport")]
    #[doc(alias = "acl.rt.unsubscribe_report")]
    pub fn unsubscribe_report(&mut self, subscribed: Subscribed<(D, S)>) -> Result<()>
    where
        S: StreamTag,
    {
        self.check_subscription(&subscribed)?;
        let thread = &subscribed.thread;
        // A later callback would be lost, and the work behind it would wait for ever.
        self.drain_while(SLICE, || thread.check())?;
        // SAFETY: a live stream (invariant of `Stream`).
        let code = unsafe { sys::aclrtUnSubscribeReport(thread.thread, self.as_raw()) };
        check("aclrtUnSubscribeReport", code)?;
        // SAFETY: this value borrows the binding that made it.
        unsafe { with_bound(|core| core.ledger().unsubscribe(self.key())) };
        Ok(())
    }

    /// Queues a callback (`aclrtLaunchCallback` with `ACL_CALLBACK_BLOCK`, pyACL `acl.rt.launch_callback`) and
    /// returns at once. The stream's [`ReportThread`] runs it. Later work of the stream waits until it has returned.
    ///
    /// The closure is dropped on the thread that ran it. It is leaked if it never runs, because other code has ended
    /// the stream or its subscription. The call allocates once on the host.
    ///
    /// ```
    /// use ascendcl::callback::Subscribed;
    /// use ascendcl::stream::Main;
    /// use ascendcl::{Npu, Result, Stream};
    ///
    /// fn notify(stream: &mut Stream<'_, '_, Npu<0>, Main>, subscribed: &Subscribed<(Npu<0>, Main)>) -> Result<()> {
    ///     stream.launch_callback(subscribed, || println!("the work so far is done"))
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`], [`Usage::SubscriptionEnded`], [`Usage::ReportThreadGone`] and
    /// [`Usage::OwnReportThread`]; the closure is dropped then. If it panics, the stream's next wait returns
    /// [`Usage::HostFuncPanicked`].
    #[doc(alias = "aclrtLaunchCallback")]
    #[doc(alias = "acl.rt.launch_callback")]
    pub fn launch_callback<F>(&mut self, subscribed: &Subscribed<(D, S)>, function: F) -> Result<()>
    where
        S: StreamTag,
        F: FnOnce() + Send + 'static,
        D::Mode: ContinuesAfterFailure,
    {
        self.check_subscription(subscribed)?;
        subscribed.thread.check()?;
        let launch = |stream, function, data| {
            let blocks = sys::ACL_CALLBACK_BLOCK;
            // SAFETY: a live stream (invariant of `Stream`), a function and what it asks for.
            unsafe { sys::aclrtLaunchCallback(Some(function), data, blocks, stream) }
        };
        // SAFETY: it is called once, and a callback that blocks is one that the stream waits for (manual chapter 12).
        unsafe { self.launch_job("aclrtLaunchCallback", launch, function) }
    }

    /// Queues a callback with host memory of this stream: `&mut` of a queued buffer or of a part of one
    /// (`aclrtLaunchCallback`, pyACL `acl.rt.launch_callback`). It returns at once, as [`Stream::launch_callback`]
    /// does. The closure reads the results of earlier work of the stream, and later work reads the closure's. If an
    /// earlier task has failed, the memory holds older numbers, and the stream's next wait returns the error.
    ///
    /// ```
    /// use ascendcl::callback::Subscribed;
    /// use ascendcl::stream::Main;
    /// use ascendcl::{HostBuf, Npu, Queued, Result, Stream};
    ///
    /// type Q = (Npu<0>, Main);
    ///
    /// fn print_sum<'dev>(
    ///     stream: &mut Stream<'_, 'dev, Npu<0>, Main>,
    ///     subscribed: &Subscribed<Q>,
    ///     numbers: &mut Queued<'dev, Q, HostBuf<'dev, [u32]>>,
    /// ) -> Result<()> {
    ///     stream.launch_callback_on(subscribed, numbers, |numbers| println!("{}", numbers.iter().sum::<u32>()))
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Stream::launch_callback`].
    #[doc(alias = "aclrtLaunchCallback")]
    #[doc(alias = "acl.rt.launch_callback")]
    pub fn launch_callback_on<M, F>(
        &mut self,
        subscribed: &Subscribed<(D, S)>,
        memory: M,
        function: F,
    ) -> Result<()>
    where
        S: StreamTag,
        M: HostOperand<(D, S)>,
        F: FnOnce(&mut [M::Touched]) + Send + 'static,
        D::Mode: ContinuesAfterFailure,
    {
        // SAFETY: launched on this stream, which is the queue, and which waits for it (manual chapter 12).
        self.launch_callback(subscribed, unsafe { lent(memory, function) })
    }
}

impl<D> Clone for ReportThreadId<D> {
    fn clone(&self) -> Self {
        ReportThreadId {
            thread: self.thread,
            alive: Weak::clone(&self.alive),
            _device: PhantomData,
        }
    }
}

impl<D: AnyDevice> fmt::Debug for ReportThread<'_, '_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ReportThread").field(&self.thread).finish()
    }
}

impl<D> fmt::Debug for ReportThreadId<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ReportThreadId").field(&self.thread).finish()
    }
}

impl<Q: Queue> fmt::Debug for Subscribed<Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let queue = std::any::type_name::<Q>();
        write!(f, "Subscribed<{queue}>({})", self.thread.thread)
    }
}
