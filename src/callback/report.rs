//! Closures that a thread of the program runs, which serves streams.

use std::any::TypeId;
use std::ffi::c_ulong;
use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, Weak};
use std::time::Duration;

use ascendcl_sys as sys;

use crate::callback::HostOperand;
use crate::callback::job::lent;
use crate::context::{Current, with_bound};
use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Result, Usage};
use crate::outcome::GoesOn;
use crate::queue::Queue;
use crate::raw::{check, recent_error_text};
use crate::state::{Bound, Invariant};
use crate::stream::{Stream, StreamTag, millis};

/// How long a wait without a limit goes on before it looks whether it still makes sense.
const SLICE: Duration = Duration::from_millis(100);

unsafe extern "C" {
    /// The number by which AscendCL knows a thread. Rust tells it of other threads only.
    safe fn pthread_self() -> c_ulong;
}

/// The calling thread, as one that runs the callbacks of streams of device `D`.
///
/// It serves any number of streams, which other threads subscribe by its [id](ReportThread::id). While it does
/// something else, their callbacks do not run, and who waits for such a stream waits. So it calls
/// [`process_report`](ReportThread::process_report) until that says that there is no stream any more; waits for none of
/// its streams itself, nor for their device; and is there for as long as they are subscribed. One call may fail and the
/// next succeed, but where the device is lost each fails at once: behind a failure it waits a moment for word that the
/// streams have ended, and calls again only if none comes. A stream whose destruction was refused stays subscribed, so it
/// looks for that word when its time is up, too. If it goes with callbacks left, their stream never ends: neither do a
/// wait for it, its drop, or the reset of its device. The system also gives its number to another thread then, which
/// would be taken for it.
///
/// ```
/// # #[cfg(feature = "emulator")]
/// fn count(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
///     use std::sync::mpsc::{RecvTimeoutError, TryRecvError, channel};
///     use std::time::Duration;
///     use ascendcl::{Npu, Thread, callback::Report, stream::Main};
///
///     let mut thread = Thread::claim()?;
///     let device = &acl.set_device::<Npu<0>>(&mut thread, 0)?;
///     std::thread::scope(|scope| {
///         // In here: where this scope is left by an error, `go` is dropped, which is the word that the stream has ended.
///         let ((ready, id), (go, subscribed)) = (channel(), channel());
///         let server = scope.spawn(move || -> ascendcl::Result<()> {
///             let mut thread = Thread::claim()?;
///             let mut reports = thread.set_current(device)?.report_thread();
///             ready.send(reports.id()).unwrap();
///             // No word comes when the other thread has failed.
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
/// # #[cfg(feature = "emulator")]
/// # fn main() -> ascendcl::Result<()> { count(&ascendcl::Acl::from_env()?) }
/// # #[cfg(not(feature = "emulator"))]
/// # fn main() {}
/// ```
pub struct ReportThread<'t, 'dev, D: AnyDevice> {
    thread: c_ulong,
    alive: Arc<()>,
    _binding: Bound<'t, D>,
    _device: PhantomData<&'dev ()>,
}

/// Which thread runs callbacks of device `D`.
pub struct ReportThreadId<D> {
    thread: c_ulong,
    /// Gone with the `ReportThread`: the system gives the number of a thread that has ended to another one.
    alive: Weak<()>,
    _device: Invariant<D>,
}

/// What a thread that serves streams has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "it says whether there is a stream left to serve"]
pub enum Report {
    /// It has run what was ready: a callback, or several.
    Called,
    /// Its time was up.
    TimeUp,
    /// No stream is subscribed to it, or none any more.
    NoStream,
}

/// A stream, the queue `Q`, has a thread that runs its callbacks.
///
/// The subscription ends by [`Stream::unsubscribe_report`], or with the stream.
#[must_use = "callbacks are launched with it"]
pub struct Subscribed<Q: Queue> {
    thread: ReportThreadId<Q::Device>,
    /// Of the subscription: a later stream may have the name, and another one.
    number: u64,
    _queue: Invariant<Q>,
}

impl<'t, 'dev, D: AnyDevice> Current<'t, 'dev, D> {
    /// Makes the calling thread one that can serve streams of this device.
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
    /// Which thread it is, for those that subscribe their streams to it.
    #[must_use]
    pub fn id(&self) -> ReportThreadId<D> {
        ReportThreadId {
            thread: self.thread,
            alive: Arc::downgrade(&self.alive),
            _device: PhantomData,
        }
    }

    /// Waits until a callback of the streams that this thread serves is ready, and runs what is ready
    /// (`aclrtProcessReport`, pyACL `acl.rt.process_report`).
    ///
    /// The limit is rounded up to milliseconds; `None` waits until there is no stream any more. Nothing wakes a thread
    /// then, so that is several calls.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`], at once each time where the device is lost, and [`Usage::Timeout`] for no time at all, or
    /// more than C's `int32_t` of milliseconds. That the time was up, or that no stream is subscribed, is a [`Report`].
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
    /// Fails unless another thread than this one is there to run callbacks.
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

impl<D: AnyDevice, S: StreamTag> Stream<'_, '_, D, S> {
    /// Lets `thread` run the callbacks of this stream (`aclrtSubscribeReport`, pyACL `acl.rt.subscribe_report`).
    ///
    /// At most 1024 threads of a process can serve streams; 32 is what the manual advises (api_ref 12).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] with 107011 when the stream has a thread already, or runs [host
    /// functions](Stream::launch_host_func). [`Usage::OwnReportThread`] for the calling thread, which could not
    /// wait for the stream and run its callbacks, and [`Usage::ReportThreadGone`].
    #[doc(alias = "aclrtSubscribeReport")]
    #[doc(alias = "acl.rt.subscribe_report")]
    pub fn subscribe_report(&mut self, thread: &ReportThreadId<D>) -> Result<Subscribed<(D, S)>> {
        thread.check()?;
        // SAFETY: a live stream of the current context (invariant of `Stream`).
        let code = unsafe { sys::aclrtSubscribeReport(thread.thread, self.as_raw()) };
        check("aclrtSubscribeReport", code)?;
        Ok(Subscribed {
            thread: thread.clone(),
            // SAFETY: this value borrows the binding that made it.
            number: unsafe { with_bound(|core| core.ledger().subscribe(TypeId::of::<S>())) },
            _queue: PhantomData,
        })
    }

    /// Fails if the subscription was that of an earlier stream of this name.
    fn check_subscription(&self, subscribed: &Subscribed<(D, S)>) -> Result<()> {
        let key = TypeId::of::<S>();
        // SAFETY: this value borrows the binding that made it.
        if unsafe { with_bound(|core| core.ledger().has_subscription(key, subscribed.number)) } {
            return Ok(());
        }
        Err(Usage::SubscriptionEnded.into())
    }

    /// Waits until the work of this stream is over and ends the subscription (`aclrtUnSubscribeReport`, pyACL
    /// `acl.rt.unsubscribe_report`). If work has failed, the stream's next wait tells.
    ///
    /// # Errors
    ///
    /// [`Usage::ReportThreadGone`] when callbacks are left that nobody runs any more, [`Usage::OwnReportThread`],
    /// [`Usage::SubscriptionEnded`], [`ErrorKind::Wait`] when even a repeated wait fails, and [`ErrorKind::Refused`]. The
    /// subscription stays then until the stream ends.
    #[doc(alias = "aclrtUnSubscribeReport")]
    #[doc(alias = "acl.rt.unsubscribe_report")]
    pub fn unsubscribe_report(&mut self, subscribed: Subscribed<(D, S)>) -> Result<()> {
        self.check_subscription(&subscribed)?;
        let thread = &subscribed.thread;
        // A callback whose turn comes later would be lost, and what is behind it would wait for ever.
        self.drain_while(SLICE, || thread.check())?;
        // SAFETY: a live stream (invariant of `Stream`).
        let code = unsafe { sys::aclrtUnSubscribeReport(thread.thread, self.as_raw()) };
        check("aclrtUnSubscribeReport", code)?;
        // SAFETY: this value borrows the binding that made it.
        unsafe { with_bound(|core| core.ledger().unsubscribe(TypeId::of::<S>())) };
        Ok(())
    }

    /// Queues a callback (`aclrtLaunchCallback` with `ACL_CALLBACK_BLOCK`, pyACL `acl.rt.launch_callback`) and returns
    /// at once. The stream's [`ReportThread`] runs it; work behind it waits until it has returned.
    ///
    /// The closure is dropped where it ran, and leaked if it never runs because other code has ended the stream or
    /// its subscription. It takes one allocation of the host.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`], [`Usage::SubscriptionEnded`], [`Usage::ReportThreadGone`] and
    /// [`Usage::OwnReportThread`]; the closure is dropped then. If it panics, the stream's next wait is
    /// [`Usage::HostFuncPanicked`].
    #[doc(alias = "aclrtLaunchCallback")]
    #[doc(alias = "acl.rt.launch_callback")]
    pub fn launch_callback<F>(&mut self, subscribed: &Subscribed<(D, S)>, function: F) -> Result<()>
    where
        F: FnOnce() + Send + 'static,
        D::Mode: GoesOn,
    {
        self.check_subscription(subscribed)?;
        subscribed.thread.check()?;
        let launch = |stream, function, data| {
            let blocks = sys::ACL_CALLBACK_BLOCK;
            // SAFETY: a live stream (invariant of `Stream`), a function and what it asks for.
            unsafe { sys::aclrtLaunchCallback(Some(function), data, blocks, stream) }
        };
        // SAFETY: it is called once, and a callback that blocks is one that the stream waits for (api_ref 12).
        unsafe { self.launch("aclrtLaunchCallback", launch, function) }
    }

    /// [`Stream::launch_callback`] with host memory of this stream: `&mut` of a queued buffer or a part of one. As for
    /// [`Stream::launch_host_func_on`].
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
        M: HostOperand<(D, S)>,
        F: FnOnce(&mut [M::Touched]) + Send + 'static,
        D::Mode: GoesOn,
    {
        // SAFETY: launched on this stream, which is the queue, and which waits for it (api_ref 12).
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
