//! Closures that a thread of the program runs, which serves streams.

use std::ffi::c_ulong;
use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, Weak};
use std::time::Duration;

use ascendcl_sys as sys;

use crate::callback::Touchable;
use crate::callback::job::lent;
use crate::context::Current;
use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Result, Usage};
use crate::outcome::GoesOn;
use crate::queue::{Queue, QueuedDestination};
use crate::raw::{check, recent_error_text};
use crate::state::{Bound, Invariant};
use crate::stream::{Stream, StreamTag, millis};

unsafe extern "C" {
    /// The number by which AscendCL knows a thread. Rust tells it of other threads only.
    safe fn pthread_self() -> c_ulong;
}

/// The calling thread, as one that runs the callbacks of streams of device `D`.
///
/// It serves any number of streams, which other threads subscribe by its [id](ReportThread::id). While it serves
/// none, or does something else, their callbacks do not run, and who waits for such a stream waits.
///
/// ```
/// # #[cfg(feature = "emulator")]
/// fn count(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
///     use std::sync::mpsc::channel;
///     use std::time::Duration;
///     use ascendcl::{Npu, Thread, callback::Report, stream::Main};
///
///     let mut thread = Thread::claim()?;
///     let device = &acl.set_device::<Npu<0>>(&mut thread, 0)?;
///     std::thread::scope(|scope| {
///         let ((ready, id), (go, subscribed)) = (channel(), channel());
///         let server = scope.spawn(move || -> ascendcl::Result<()> {
///             let mut thread = Thread::claim()?;
///             let mut reports = thread.set_current(device)?.report_thread();
///             ready.send(reports.id()).unwrap();
///             subscribed.recv().unwrap();
///             while reports.process_report(Some(Duration::from_millis(100)))? != Report::NoStream {}
///             Ok(())
///         });
///         let mut stream = thread.set_current(device)?.create_stream::<Main>()?;
///         let subscription = stream.subscribe_report(&id.recv().unwrap())?;
///         go.send(()).unwrap();
///         stream.launch_callback(&subscription, || println!("half of the work is done"))?;
///         stream.unsubscribe_report(subscription)?;
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
pub enum Report {
    /// It has run a callback.
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

    /// Waits for the next callback of the streams that this thread serves and runs it (`aclrtProcessReport`, pyACL
    /// `acl.rt.process_report`). The limit is rounded up to milliseconds; `None` waits for ever.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`], and [`Usage::Timeout`] for no time at all, or more than C's `int32_t` of milliseconds.
    /// That the time was up, or that no stream is subscribed, is a [`Report`].
    #[doc(alias = "aclrtProcessReport")]
    #[doc(alias = "acl.rt.process_report")]
    pub fn process_report(&mut self, limit: Option<Duration>) -> Result<Report> {
        let millis = limit.map_or(Ok(-1), millis)?;
        // SAFETY: takes a number; what it calls is what `Stream::launch` has queued.
        let code = unsafe { sys::aclrtProcessReport(millis) };
        let report = match code {
            sys::ACL_ERROR_RT_REPORT_TIMEOUT => Report::TimeUp,
            sys::ACL_ERROR_RT_THREAD_SUBSCRIBE => Report::NoStream,
            _ => return check("aclrtProcessReport", code).map(|()| Report::Called),
        };
        // An ordinary outcome leaves no text for the next error.
        drop(recent_error_text());
        Ok(report)
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
            _queue: PhantomData,
        })
    }

    /// Waits until the work of this stream is over and ends the subscription (`aclrtUnSubscribeReport`, pyACL
    /// `acl.rt.unsubscribe_report`). If work has failed, the stream's next wait tells.
    ///
    /// # Errors
    ///
    /// As for [`Stream::drain`], and [`ErrorKind::Refused`]; the subscription stays then until the stream ends.
    #[doc(alias = "aclrtUnSubscribeReport")]
    #[doc(alias = "acl.rt.unsubscribe_report")]
    pub fn unsubscribe_report(&mut self, subscribed: Subscribed<(D, S)>) -> Result<()> {
        // A callback whose turn comes later would be lost, and what is behind it would wait for ever.
        self.drain()?;
        // SAFETY: a live stream (invariant of `Stream`).
        let code = unsafe { sys::aclrtUnSubscribeReport(subscribed.thread.thread, self.as_raw()) };
        check("aclrtUnSubscribeReport", code)
    }

    /// Queues a callback (`aclrtLaunchCallback` with `ACL_CALLBACK_BLOCK`, pyACL `acl.rt.launch_callback`) and returns
    /// at once. The stream's [`ReportThread`] runs it; work behind it waits until it has returned.
    ///
    /// The closure is dropped where it ran, and leaked if it never runs because other code has ended the stream or
    /// its subscription. It takes one allocation of the host.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`], with 107015 when the subscription has ended, and [`Usage::ReportThreadGone`]; the
    /// closure is dropped then. If it panics, the stream's next wait is [`Usage::HostFuncPanicked`].
    #[doc(alias = "aclrtLaunchCallback")]
    #[doc(alias = "acl.rt.launch_callback")]
    pub fn launch_callback<F>(&mut self, subscribed: &Subscribed<(D, S)>, function: F) -> Result<()>
    where
        F: FnOnce() + Send + 'static,
        D::Mode: GoesOn,
    {
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
        M: QueuedDestination<(D, S), Place: Touchable, Element: Send + 'static, Written = ()>,
        F: FnOnce(&mut [M::Element]) + Send + 'static,
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
