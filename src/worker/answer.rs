//! The place where an answer is put and waited for.

use std::fmt;
use std::sync::Arc;
use std::task::Waker;
use std::time::Duration;

use super::Failed;
use super::queue::refusal;
use crate::raw::contained;
use crate::sync::{Condvar, Mutex, lock, wait_until};

/// The answer to a request, which a thread can wait for. With the feature `async` it is a future, for any executor.
///
/// Each request gets one answer, also when its worker stops. An answer can be dropped: the request is served all the same.
///
/// ```
/// # ascendcl::example!(|acl| {
/// use std::sync::Arc;
///
/// use ascendcl::Npu;
/// use ascendcl::worker::{Worker, WorkerOptions};
///
/// let options = WorkerOptions::default();
/// let worker = Worker::spawn::<Npu<0>>(Arc::new(acl), 0, options, |_, _, requests| {
///     requests.serve(|number: u32| Ok(number + 1))
/// });
/// let client = worker.client();
/// let (first, second) = (client.send(1), client.send(2)); // both are queued
/// assert_eq!(second.wait().ok(), Some(3));
/// assert_eq!(first.wait().ok(), Some(2));
/// # });
/// ```
#[must_use = "an answer that nobody reads is dropped: `drop(client.send(request))`"]
pub struct Answer<A>(Arc<Cell<A>>);

struct Cell<A> {
    state: Mutex<State<A>>,
    ready: Condvar,
    /// The queue of the request, as an address.
    queue: usize,
}

struct State<A> {
    answer: Option<Result<A, Failed>>,
    waker: Option<Waker>,
}

/// The other end of an [`Answer`]. If it is dropped, the answer is that the worker has stopped.
pub(super) struct Reply<A>(Option<Arc<Cell<A>>>);

/// Makes the two ends of an answer of the worker with this queue.
pub(super) fn pair<A>(queue: usize) -> (Reply<A>, Answer<A>) {
    let state = State {
        answer: None,
        waker: None,
    };
    let cell = Arc::new(Cell {
        state: Mutex::new(state),
        ready: Condvar::new(),
        queue,
    });
    (Reply(Some(Arc::clone(&cell))), Answer(cell))
}

impl<A> Reply<A> {
    pub(super) fn send(mut self, answer: Result<A, Failed>) {
        self.put(answer);
    }

    fn put(&mut self, answer: Result<A, Failed>) {
        let Some(cell) = self.0.take() else { return };
        let mut state = lock(&cell.state);
        state.answer = Some(answer);
        let waker = state.waker.take();
        drop(state);
        cell.ready.notify_one();
        if let Some(waker) = waker {
            // If it panics while the answer is here, whose drop may panic too, the process would end.
            contained(|| waker.wake());
        }
    }
}

impl<A> Drop for Reply<A> {
    fn drop(&mut self) {
        self.put(Err(Failed::Stopped(None)));
    }
}

impl<A> Answer<A> {
    /// Waits for the answer.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// # use std::sync::Arc;
    /// # use ascendcl::{Npu, worker::{Worker, WorkerOptions}};
    /// let options = WorkerOptions::default();
    /// let worker = Worker::spawn::<Npu<0>>(Arc::new(acl), 0, options, |_, _, requests| {
    ///     requests.serve(|text: String| Ok(text.len()))
    /// });
    /// let answer = worker.client().send("four".to_owned());
    /// assert_eq!(answer.wait().ok(), Some(4));
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Failed`] says why the request has no answer. [`Failed::Refused`] with [`Usage::OwnWorker`] in a handler that waits
    /// for its own worker, and with [`Usage::InHostFunc`] inside a [function that the runtime calls](crate::callback), if
    /// the answer is not there.
    ///
    /// [`Usage::OwnWorker`]: crate::error::Usage::OwnWorker
    /// [`Usage::InHostFunc`]: crate::error::Usage::InHostFunc
    pub fn wait(self) -> Result<A, Failed> {
        if let Some(refusal) = refusal(self.0.queue) {
            let mut state = lock(&self.0.state);
            let refused = || Err(Failed::Refused(refusal.into()));
            return state.answer.take().unwrap_or_else(refused);
        }
        // Without a limit the answer is there.
        let stopped = || Err(Failed::Stopped(None));
        self.take_within(None).unwrap_or_else(stopped)
    }

    /// Waits for the answer, at most for `limit`. If the time is up, this value comes back. A handler that waits for its own
    /// worker waits for the whole limit.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// # use std::{sync::Arc, time::Duration};
    /// # use ascendcl::{Npu, worker::{Worker, WorkerOptions}};
    /// let options = WorkerOptions::default();
    /// let worker = Worker::spawn::<Npu<0>>(Arc::new(acl), 0, options, |_, _, requests| {
    ///     requests.serve(|number: u32| Ok(number + 1))
    /// });
    /// let mut answer = worker.client().send(1);
    /// let number = loop {
    ///     match answer.wait_within(Duration::from_millis(10)) {
    ///         Ok(number) => break number,
    ///         Err(still) => answer = still, // time for other work
    ///     }
    /// };
    /// assert_eq!(number.ok(), Some(2));
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// The answer itself, if the time is up.
    pub fn wait_within(self, limit: Duration) -> Result<Result<A, Failed>, Answer<A>> {
        self.take_within(Some(limit)).ok_or(self)
    }

    fn take_within(&self, limit: Option<Duration>) -> Option<Result<A, Failed>> {
        let state = lock(&self.0.state);
        let is_there = |state: &State<A>| state.answer.is_some();
        wait_until(&self.0.ready, state, limit, is_there)
            .answer
            .take()
    }
}

/// The task is woken on the thread of the worker. After its answer the future stays pending.
#[cfg(feature = "async")]
impl<A> Future for Answer<A> {
    type Output = Result<A, Failed>;

    fn poll(
        self: core::pin::Pin<&mut Self>,
        context: &mut core::task::Context<'_>,
    ) -> core::task::Poll<Self::Output> {
        let waker = context.waker().clone();
        let mut state = lock(&self.0.state);
        if let Some(answer) = state.answer.take() {
            return core::task::Poll::Ready(answer);
        }
        let last = state.waker.replace(waker);
        // The code of an executor runs without the lock.
        drop(state);
        drop(last);
        core::task::Poll::Pending
    }
}

impl<A> fmt::Debug for Answer<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Answer")
    }
}
