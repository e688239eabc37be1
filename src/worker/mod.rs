//! Workers: threads that own a device each and serve the requests of other threads.
//!
//! A stream, a plan and a buffer borrow their device, and a stream stays on its thread. A service keeps them for longer than a
//! function runs, and has requests from many threads. A [`Worker`] has a thread that opens the device ([`Acl::on`]) and runs a
//! closure, the body. What the body makes are local variables of it, so nobody spells their lifetimes. Its last call is
//! [`Requests::serve`].
//!
//! ```
//! # fn main() -> ascendcl::Result<()> {
//! # #[cfg(feature = "emulator")] {
//! use std::sync::Arc;
//!
//! use ascendcl::stream::Main;
//! use ascendcl::worker::{Worker, WorkerOptions};
//! use ascendcl::{Acl, Npu};
//!
//! let acl = Arc::new(Acl::from_env()?);
//! let worker = Worker::spawn::<Npu<0>>(acl, 0, WorkerOptions::default(), |current, acl, requests| {
//!     let mut stream = current.create_stream::<Main>()?;
//!     let mut numbers = stream.malloc_host_from(acl.host()?, &[0_f32; 3])?;
//!     let mut on_device = stream.memcpy_async(stream.malloc(3)?, &numbers)?;
//!     requests.serve(|request: [f32; 3]| {
//!         stream.synchronize()?.get_mut(&mut numbers).copy_from_slice(&request);
//!         stream.memcpy_async(&mut on_device, &numbers)?;
//!         stream.memcpy_async(&mut numbers, &on_device)?;
//!         Ok(stream.synchronize()?.get_mut(&mut numbers).iter().sum::<f32>())
//!     })
//! });
//! let client = worker.client(); // `Clone`, and for any thread
//! assert_eq!(client.call([1.0, 2.0, 3.0]).ok(), Some(6.0));
//! worker.stop()?;
//! # } Ok(()) }
//! ```
//!
//! # What a failure does
//!
//! | | its request | the worker |
//! |---|---|---|
//! | the handler returns an error after which streams can be used as before | [`Failed::Refused`] | goes on |
//! | a wait fails, a stream is poisoned, or only a reset helps | [`Failed::Device`] | resets the device and opens it again |
//! | the handler panics | [`Failed::Panicked`] | the same |
//! | the body fails before it serves | stays queued | the same; the [hook](crate::on_release_failure) gets the error |
//! | [several](WorkerOptions::with_attempts) openings of a device in a row end before it has served a request, or [nothing helps](crate::error::Recovery::GiveUp) | [`Failed::Stopped`], if no other device serves the queue | gives the device up |
//!
//! Requests that are queued stay queued while a device is opened again. Errors that belong to the task of a service are part of
//! its answer: `serve(|request| Ok(check(request)))` answers with a `Result`. Errors of this crate are returned as `Err`, with `?`:
//! the worker does not see one inside the answer, and never resets the device.
//!
//! # Limits
//!
//! - A handler that never returns holds its device, and `stop` waits for it. [`WorkerOptions::with_limit`] limits the waits of
//!   releases; the handler limits its own, for example by
//!   [`Stream::synchronize_within`](crate::Stream::synchronize_within).
//! - Two workers whose handlers wait for each other wait for ever. Only a handler that waits for its own worker gets an error, from
//!   [`Client::call`], [`Answer::wait`], and [`Client::send`] to a full queue. [`Answer::wait_within`] waits for its whole limit.

mod answer;
mod client;
#[cfg(all(test, loom))]
mod interleavings;
mod options;
mod queue;
mod requests;

use std::fmt;
use std::mem;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::context::Current;
use crate::device::NamedDevice;
use crate::error::{Error, Result, Usage};
use crate::raw::contained;
use crate::release;
use crate::runtime::Acl;

pub use answer::Answer;
pub use client::{Client, NotSent};
pub use options::WorkerOptions;
pub use requests::Requests;

use queue::Queue;

/// One thread or several that serve requests `Q` with answers `A`, each on a device of its own.
///
/// A worker that is dropped stops as by [`Worker::stop`]: what is queued is answered first. The
/// [hook for failed releases](crate::on_release_failure) gets the error then. On a thread of the worker itself, and inside a
/// [function that the runtime calls](crate::callback), a drop waits for nothing.
///
/// ```
/// # ascendcl::example!(|acl| {
/// use std::sync::Arc;
///
/// use ascendcl::Npu;
/// use ascendcl::worker::{Worker, WorkerOptions};
///
/// let options = WorkerOptions::default();
/// let worker = Worker::spawn::<Npu<0>>(Arc::new(acl), 0, options, |current, _, requests| {
///     let bytes = current.malloc::<u8>(64)?; // kept for all requests
///     requests.serve(|factor: usize| Ok(bytes.len() * factor))
/// });
/// assert_eq!(worker.client().call(2).ok(), Some(128));
/// worker.stop()?;
/// # });
/// ```
#[must_use = "a worker that is dropped stops"]
pub struct Worker<Q, A> {
    acl: Arc<Acl>,
    options: WorkerOptions,
    queue: Arc<Queue<Q, A>>,
    threads: Vec<JoinHandle<()>>,
    /// Whether a call has returned how the threads have ended.
    ended: bool,
}

/// The reason why a request has no answer.
///
/// ```
/// # ascendcl::example!(|acl| {
/// # use std::sync::Arc;
/// # use ascendcl::{Npu, worker::{Worker, WorkerOptions}};
/// use ascendcl::worker::Failed;
///
/// let options = WorkerOptions::default();
/// let worker = Worker::spawn::<Npu<0>>(Arc::new(acl), 0, options, |current, _, requests| {
///     requests.serve(move |bytes: usize| Ok(current.malloc::<u8>(bytes)?.len()))
/// });
/// match worker.client().call(0) {
///     Ok(bytes) => println!("{bytes} bytes"),
///     Err(Failed::Refused(error)) => println!("a wrong request: {error}"),
///     Err(Failed::Device(_)) => println!("send it once more"),
///     Err(other) => println!("{other}"),
/// }
/// # });
/// ```
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum Failed {
    /// The handler has returned this error. The device works.
    Refused(Error),
    /// The device has failed in this request, and is opened again. The same request can succeed.
    Device(Error),
    /// The handler has panicked with this text. The device is opened again.
    Panicked(String),
    /// The worker has stopped, or has given its last device up for this error.
    Stopped(Option<Error>),
}

impl<Q: Send + 'static, A: Send + 'static> Worker<Q, A> {
    /// Starts a thread that opens the device `id` and runs `body` on it.
    ///
    /// The body makes what its requests use, and calls [`Requests::serve`] at its end. It runs again, on a device that was reset,
    /// when the device has failed. If the device cannot be opened, the clients and [`Worker::stop`] get the error.
    ///
    /// The errors of the body are those of this crate. So a program loads its files before, and the body captures them.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// use std::sync::Arc;
    ///
    /// use ascendcl::Npu;
    /// use ascendcl::worker::{Worker, WorkerOptions};
    ///
    /// let options = WorkerOptions::default();
    /// let worker = Worker::spawn::<Npu<0>>(Arc::new(acl), 0, options, |current, acl, requests| {
    ///     let mut numbers = current.malloc_host_from(acl.host()?, &[0_u32])?;
    ///     let mut on_device = current.memcpy(current.malloc(1)?, &numbers)?;
    ///     requests.serve(move |number| {
    ///         let last = numbers[0];
    ///         numbers[0] = number;
    ///         current.memcpy(&mut on_device, &numbers)?;
    ///         Ok(last)
    ///     })
    /// });
    /// let answers = [7, 8].map(|number| worker.client().call(number).ok());
    /// assert_eq!(answers, [Some(0), Some(7)]);
    /// # });
    /// ```
    pub fn spawn<D: NamedDevice>(
        acl: Arc<Acl>,
        id: u32,
        options: WorkerOptions,
        body: impl for<'on, 'w> Fn(Current<'on, 'on, D>, &'w Acl, Requests<'w, Q, A>) -> Result<()>
        + Send
        + 'static,
    ) -> Worker<Q, A> {
        let queue = Queue::new(options.queue.max(1));
        let threads = Vec::new();
        let mut worker = Worker {
            acl,
            options,
            queue,
            threads,
            ended: false,
        };
        worker.add::<D>(id, body);
        worker
    }

    /// Starts a further thread, which serves the same requests on another device. A request goes to the thread that is free.
    ///
    /// Each device of a worker needs a name of its own, such as `Npu<1>`.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// use std::sync::Arc;
    ///
    /// use ascendcl::worker::{Requests, Worker, WorkerOptions};
    /// use ascendcl::{Acl, Current, DeviceTag, Npu, Result};
    ///
    /// fn body<D: DeviceTag>(_: Current<'_, '_, D>, _: &Acl, requests: Requests<'_, u32, u32>) -> Result<()> {
    ///     requests.serve(|number| Ok(number + 1))
    /// }
    ///
    /// let mut worker = Worker::spawn(Arc::new(acl), 0, WorkerOptions::default(), body::<Npu<0>>);
    /// worker.add(1, body::<Npu<1>>);
    /// assert_eq!(worker.client().call(1).ok(), Some(2));
    /// # });
    /// ```
    pub fn add<D: NamedDevice>(
        &mut self,
        id: u32,
        body: impl for<'on, 'w> Fn(Current<'on, 'on, D>, &'w Acl, Requests<'w, Q, A>) -> Result<()>
        + Send
        + 'static,
    ) {
        let (acl, queue, options) = (Arc::clone(&self.acl), Arc::clone(&self.queue), self.options);
        let thread = move || {
            queue.serve_here();
            let ended = requests::serve_all::<D, _, _>(&acl, id, options, &queue, &body);
            contained(|| drop(body));
            drop(acl);
            queue.leave(ended);
            queue.finish();
        };
        self.queue.enter();
        match thread::Builder::new()
            .name(format!("worker {id}"))
            .spawn(thread)
        {
            Ok(thread) => self.threads.push(thread),
            Err(error) => {
                let reason = error.to_string();
                self.queue.leave(Err(Usage::NoThread { reason }.into()));
                self.queue.finish();
            }
        }
    }
}

impl<Q, A> Worker<Q, A> {
    /// Returns an end that sends requests.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// # use std::sync::Arc;
    /// # use ascendcl::{Npu, worker::{Worker, WorkerOptions}};
    /// let options = WorkerOptions::default();
    /// let worker = Worker::spawn::<Npu<0>>(Arc::new(acl), 0, options, |_, _, requests| {
    ///     requests.serve(|number: u32| Ok(number + 1))
    /// });
    /// let client = worker.client();
    /// assert_eq!(client.clone().call(1).ok(), client.call(1).ok());
    /// # });
    /// ```
    pub fn client(&self) -> Client<Q, A> {
        Client(Arc::clone(&self.queue))
    }

    /// Answers what is queued, releases everything, and waits until the threads have ended. Later requests are
    /// [`Failed::Stopped`].
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// # use std::sync::Arc;
    /// # use ascendcl::{Npu, worker::{Worker, WorkerOptions}};
    /// let options = WorkerOptions::default();
    /// let worker = Worker::spawn::<Npu<0>>(Arc::new(acl), 0, options, |_, _, requests| {
    ///     requests.serve(|number: u32| Ok(number + 1))
    /// });
    /// let client = worker.client();
    /// let answer = client.send(1);
    /// worker.stop()?;
    /// assert_eq!(answer.wait().ok(), Some(2));
    /// assert!(client.call(1).is_err());
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// The error for which the first device was given up, or that of its release. [`Usage::OwnWorker`] on a thread of the worker
    /// itself, and [`Usage::InHostFunc`] inside a [function that the runtime calls](crate::callback): the worker ends later
    /// then, and the [hook](crate::on_release_failure) gets its errors.
    pub fn stop(mut self) -> Result<()> {
        self.end(None).unwrap_or(Ok(()))
    }

    /// Drops what is queued, whose clients get [`Failed::Stopped`], and stops as [`Worker::stop`] does. A request that is being
    /// served gets its answer.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// # use std::sync::Arc;
    /// # use ascendcl::{Npu, worker::{Worker, WorkerOptions}};
    /// let options = WorkerOptions::default();
    /// let worker = Worker::spawn::<Npu<0>>(Arc::new(acl), 0, options, |_, _, requests| {
    ///     requests.serve(|number: u32| Ok(number + 1))
    /// });
    /// let answers = [1, 2, 3].map(|number| worker.client().send(number));
    /// worker.stop_now()?;
    /// for answer in answers {
    ///     println!("{:?}", answer.wait()); // a number, or `Stopped`
    /// }
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Worker::stop`].
    pub fn stop_now(self) -> Result<()> {
        self.queue.stop();
        self.queue.drop_requests();
        self.stop()
    }

    /// Stops as [`Worker::stop`] does, and waits at most for `limit`. If the time is up, the worker comes back: it accepts no
    /// request any more, and goes on with those that are queued.
    ///
    /// Destructors of thread-locals may still run when this returns. A drop waits without a limit. A program that does not want
    /// to wait for a handler that hangs passes the worker to [`std::mem::forget`].
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// # use std::{sync::Arc, time::Duration};
    /// # use ascendcl::{Npu, worker::{Worker, WorkerOptions}};
    /// let options = WorkerOptions::default();
    /// let worker = Worker::spawn::<Npu<0>>(Arc::new(acl), 0, options, |_, _, requests| {
    ///     requests.serve(|number: u32| Ok(number + 1))
    /// });
    /// match worker.stop_within(Duration::from_secs(5)) {
    ///     Ok(stopped) => stopped?,
    ///     Err(worker) => std::mem::forget(worker),
    /// }
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// The worker, if the time is up.
    pub fn stop_within(mut self, limit: Duration) -> Result<Result<()>, Worker<Q, A>> {
        self.end(Some(limit)).ok_or(self)
    }

    /// Stops and waits. Returns nothing if the time is up.
    fn end(&mut self, limit: Option<Duration>) -> Option<Result<()>> {
        if let Some(refusal) = self.queue.refusal() {
            self.queue.abandon();
            self.ended = true;
            return Some(Err(refusal.into()));
        }
        self.queue.stop();
        if !self.queue.wait(limit) {
            return None;
        }
        self.ended = true;
        let threads = mem::take(&mut self.threads);
        // A join also waits for the destructors of thread-locals, which know no limit.
        if limit.is_none() {
            for thread in threads {
                // What could panic on it is contained.
                let _ = thread.join();
            }
        }
        Some(self.queue.failure().map_or(Ok(()), Err))
    }
}

impl<Q, A> Drop for Worker<Q, A> {
    fn drop(&mut self) {
        if self.ended {
            return;
        }
        // A handler may drop its own worker, which ends after the request.
        let is_own = matches!(self.queue.refusal(), Some(Usage::OwnWorker));
        if let Some(Err(error)) = self.end(None)
            && !is_own
        {
            release::report(&error);
        }
    }
}

impl<Q, A> fmt::Debug for Worker<Q, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Worker")
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, why): (&str, &dyn fmt::Display) = match self {
            Failed::Refused(error) => ("the request was refused", error),
            Failed::Device(error) => ("the device has failed in this request", error),
            Failed::Panicked(text) => ("the handler of the request has panicked", text),
            Failed::Stopped(Some(error)) => ("the worker has given up", error),
            Failed::Stopped(None) => return f.write_str("the worker has stopped"),
        };
        f.write_str(what)?;
        f.write_str(": ")?;
        why.fmt(f)
    }
}

impl std::error::Error for Failed {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Failed::Refused(error) | Failed::Device(error) | Failed::Stopped(Some(error)) => {
                Some(error)
            }
            Failed::Panicked(_) | Failed::Stopped(None) => None,
        }
    }
}
