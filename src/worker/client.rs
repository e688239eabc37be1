//! The ends that send requests.

use std::fmt;
use std::sync::Arc;

use super::queue::Queue;
use super::{Answer, Failed};

/// Sends requests to a [`Worker`](super::Worker), from any thread. It has no lifetime and can be cloned.
///
/// ```
/// # ascendcl::example!(|acl| {
/// use std::sync::Arc;
/// use std::thread;
///
/// use ascendcl::Npu;
/// use ascendcl::worker::{Worker, WorkerOptions};
///
/// let options = WorkerOptions::default();
/// let worker = Worker::spawn::<Npu<0>>(Arc::new(acl), 0, options, |_, _, requests| {
///     requests.serve(|number: u32| Ok(number * number))
/// });
/// let threads = [2, 3].map(|number| {
///     let client = worker.client();
///     thread::spawn(move || client.call(number))
/// });
/// let squares = threads.map(|thread| thread.join().unwrap().ok());
/// assert_eq!(squares, [Some(4), Some(9)]);
/// # });
/// ```
pub struct Client<Q, A>(pub(super) Arc<Queue<Q, A>>);

/// A request that [`Client::try_send`] has not sent.
///
/// ```
/// use ascendcl::worker::NotSent;
///
/// /// The request, to send it later.
/// fn later<Q>(not_sent: NotSent<Q>) -> Option<Q> {
///     match not_sent {
///         NotSent::Full(request) => Some(request),
///         NotSent::Stopped(_) => None,
///     }
/// }
/// # assert_eq!(later(NotSent::Full(1)), Some(1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum NotSent<Q> {
    /// The queue is full.
    Full(Q),
    /// The worker has stopped.
    Stopped(Q),
}

impl<Q, A> Client<Q, A> {
    /// Sends a request and waits for its answer. While the queue is full, it waits for room, too.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// # use std::sync::Arc;
    /// # use ascendcl::{Npu, worker::{Worker, WorkerOptions}};
    /// let options = WorkerOptions::default();
    /// let worker = Worker::spawn::<Npu<0>>(Arc::new(acl), 0, options, |current, _, requests| {
    ///     requests.serve(move |bytes: usize| Ok(current.malloc::<u8>(bytes)?.len()))
    /// });
    /// let client = worker.client();
    /// assert_eq!(client.call(16).ok(), Some(16));
    /// assert!(client.call(0).is_err()); // no bytes are no allocation
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Failed`] says why the request has no answer. [`Failed::Refused`] with [`Usage::OwnWorker`] in a handler that calls
    /// its own worker, and with [`Usage::InHostFunc`] inside a [function that the runtime calls](crate::callback): the
    /// request is not sent then.
    ///
    /// [`Usage::OwnWorker`]: crate::error::Usage::OwnWorker
    /// [`Usage::InHostFunc`]: crate::error::Usage::InHostFunc
    pub fn call(&self, request: Q) -> Result<A, Failed> {
        if let Some(refusal) = self.0.refusal() {
            return Err(Failed::Refused(refusal.into()));
        }
        self.send(request).wait()
    }

    /// Sends a request, and returns its answer to come. While the queue is full, it waits for room, and holds up the thread
    /// of an executor: a task uses [`Client::try_send`].
    ///
    /// A request that cannot be sent has its answer at once: [`Failed::Stopped`], or where [`Client::call`] is refused and the
    /// queue is full, [`Failed::Refused`].
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
    /// let answers = [1, 2, 3].map(|number| client.send(number)); // nobody waits yet
    /// let numbers = answers.map(|answer| answer.wait().ok());
    /// assert_eq!(numbers, [Some(2), Some(3), Some(4)]);
    /// # });
    /// ```
    pub fn send(&self, request: Q) -> Answer<A> {
        self.0.send(request)
    }

    /// Sends a request if the queue has room, and never waits.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// # use std::sync::Arc;
    /// # use ascendcl::{Npu, worker::{Worker, WorkerOptions}};
    /// use ascendcl::worker::NotSent;
    ///
    /// let options = WorkerOptions::default();
    /// let worker = Worker::spawn::<Npu<0>>(Arc::new(acl), 0, options, |_, _, requests| {
    ///     requests.serve(|number: u32| Ok(number + 1))
    /// });
    /// let client = worker.client();
    /// worker.stop()?;
    /// assert_eq!(client.try_send(1).err(), Some(NotSent::Stopped(1)));
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`NotSent`] has the request.
    pub fn try_send(&self, request: Q) -> Result<Answer<A>, NotSent<Q>> {
        self.0.try_send(request)
    }
}

impl<Q, A> Clone for Client<Q, A> {
    fn clone(&self) -> Self {
        Client(Arc::clone(&self.0))
    }
}

impl<Q, A> fmt::Debug for Client<Q, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Client")
    }
}

/// Without the request, so that `unwrap` works for each one.
impl<Q> fmt::Debug for NotSent<Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotSent::Full(_) => "Full(..)",
            NotSent::Stopped(_) => "Stopped(..)",
        })
    }
}

impl<Q> fmt::Display for NotSent<Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotSent::Full(_) => "the queue of the worker is full: send the request later",
            NotSent::Stopped(_) => "the worker has stopped",
        })
    }
}

impl<Q> std::error::Error for NotSent<Q> {}
