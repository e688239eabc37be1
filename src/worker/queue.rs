//! The requests between clients and the threads of a worker.

use std::cell::Cell;
use std::collections::VecDeque;
use std::mem;
use std::sync::Arc;
use std::time::Duration;

use super::answer::{Answer, Reply, pair};
use super::{Failed, NotSent};
use crate::error::{Error, Result, Usage};
use crate::raw::{contained, in_host_func};
use crate::release;
use crate::sync::{Condvar, Mutex, MutexGuard, lock, unpoisoned, wait_until};

thread_local! {
    /// The queue that this thread serves, as an address, or zero.
    static SERVED: Cell<usize> = const { Cell::new(0) };
}

/// Why the calling thread must not wait for the queue at this address. A queue lives while a thread serves it.
pub(super) fn refusal(queue: usize) -> Option<Usage> {
    if SERVED.get() == queue {
        return Some(Usage::OwnWorker);
    }
    // The handler may wait for the work of which the function is a part.
    in_host_func().then_some(Usage::InHostFunc)
}

/// Drops requests. Their clients learn why.
fn refuse<Q, A>(requests: VecDeque<(Q, Reply<A>)>, reason: Option<&Error>) {
    for (request, reply) in requests {
        contained(|| reply.send(Err(Failed::Stopped(reason.cloned()))));
        contained(|| drop(request));
    }
}

/// What clients and threads share.
pub(super) struct Queue<Q, A> {
    state: Mutex<State<Q, A>>,
    /// There is a request, or the worker stops.
    work: Condvar,
    /// There is room for a request, or there will be none.
    room: Condvar,
    /// The worker stops, or a thread has ended.
    changed: Condvar,
    capacity: usize,
}

struct State<Q, A> {
    requests: VecDeque<(Q, Reply<A>)>,
    /// The threads that serve, or open their device.
    serving: usize,
    /// The threads that have not ended: those that serve, and those that clear up.
    running: usize,
    /// Whether the owner stops the worker.
    stops: bool,
    /// Whether nobody will ask how the threads have ended.
    abandoned: bool,
    /// The error of the first thread that has given up.
    failure: Option<Error>,
}

impl<Q, A> State<Q, A> {
    /// Whether requests are accepted.
    fn is_open(&self) -> bool {
        self.serving > 0 && !self.stops
    }

    /// Why no request is accepted: nothing, if the owner stops the worker.
    fn reason(&self) -> Option<Error> {
        self.failure.clone().filter(|_| !self.stops)
    }

    /// Whether a thread has nothing more to do.
    fn is_over(&self) -> bool {
        self.stops && self.requests.is_empty()
    }
}

impl<Q, A> Queue<Q, A> {
    pub(super) fn new(capacity: usize) -> Arc<Queue<Q, A>> {
        let state = State {
            requests: VecDeque::new(),
            serving: 0,
            running: 0,
            stops: false,
            abandoned: false,
            failure: None,
        };
        Arc::new(Queue {
            state: Mutex::new(state),
            work: Condvar::new(),
            room: Condvar::new(),
            changed: Condvar::new(),
            capacity,
        })
    }

    fn address(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    /// Why the calling thread must not wait for this queue.
    pub(super) fn refusal(&self) -> Option<Usage> {
        refusal(self.address())
    }

    /// Returns an answer that is there.
    pub(super) fn answered(&self, answer: Result<A, Failed>) -> Answer<A> {
        let (reply, answered) = pair(self.address());
        reply.send(answer);
        answered
    }

    /// Queues a request, after a wait while the queue is full.
    pub(super) fn send(&self, request: Q) -> Answer<A> {
        let refusal = self.refusal();
        let mut state = lock(&self.state);
        while state.is_open() && state.requests.len() >= self.capacity {
            if let Some(refusal) = refusal {
                drop(state);
                return self.answered(Err(Failed::Refused(refusal.into())));
            }
            state = unpoisoned(self.room.wait(state));
        }
        self.push(state, request).unwrap_or_else(|_| {
            let reason = lock(&self.state).reason();
            self.answered(Err(Failed::Stopped(reason)))
        })
    }

    pub(super) fn try_send(&self, request: Q) -> Result<Answer<A>, NotSent<Q>> {
        self.push(lock(&self.state), request)
    }

    fn push(
        &self,
        mut state: MutexGuard<'_, State<Q, A>>,
        request: Q,
    ) -> Result<Answer<A>, NotSent<Q>> {
        if !state.is_open() {
            return Err(NotSent::Stopped(request));
        }
        if state.requests.len() >= self.capacity {
            return Err(NotSent::Full(request));
        }
        let (reply, answer) = pair(self.address());
        state.requests.push_back((request, reply));
        drop(state);
        self.work.notify_one();
        Ok(answer)
    }

    /// Waits for the next request; `None` when there will be none.
    pub(super) fn next(&self) -> Option<(Q, Reply<A>)> {
        let has_next = |state: &State<Q, A>| state.stops || !state.requests.is_empty();
        let mut state = wait_until(&self.work, lock(&self.state), None, has_next);
        let next = state.requests.pop_front();
        if state.is_over() {
            // Another thread need not open its device again.
            self.changed.notify_all();
        }
        drop(state);
        self.room.notify_one();
        next
    }

    /// Waits before a device is opened again. Returns whether there can be a request for it.
    pub(super) fn pause(&self, limit: Duration) -> bool {
        let state = wait_until(
            &self.changed,
            lock(&self.state),
            Some(limit),
            State::is_over,
        );
        !state.is_over()
    }

    /// Enters a thread, before it is started.
    pub(super) fn enter(&self) {
        let mut state = lock(&self.state);
        state.serving += 1;
        state.running += 1;
    }

    /// Enters that the calling thread serves this queue.
    pub(super) fn serve_here(&self) {
        SERVED.set(self.address());
    }

    /// Enters that a thread serves no more. After the last one nobody answers what is queued.
    pub(super) fn leave(&self, ended: Result<()>) {
        let mut state = lock(&self.state);
        state.serving -= 1;
        let unread = match ended {
            Err(error) if state.failure.is_none() && !state.abandoned => {
                state.failure = Some(error);
                None
            }
            ended => ended.err(),
        };
        // Under the same lock: a further thread serves what is sent from here on.
        let requests = if state.serving == 0 {
            mem::take(&mut state.requests)
        } else {
            VecDeque::new()
        };
        let reason = state.reason();
        drop(state);
        self.room.notify_all();
        refuse(requests, reason.as_ref());
        if let Some(error) = unread {
            release::report(&error);
        }
    }

    /// Enters that a thread has ended. Its thread does nothing after that.
    pub(super) fn finish(&self) {
        lock(&self.state).running -= 1;
        self.changed.notify_all();
    }

    /// Accepts no request any more.
    pub(super) fn stop(&self) {
        let mut state = lock(&self.state);
        state.stops |= state.serving > 0;
        drop(state);
        self.work.notify_all();
        self.room.notify_all();
        self.changed.notify_all();
    }

    /// Stops for an owner who cannot wait. The errors of the threads go to the hook then.
    pub(super) fn abandon(&self) {
        self.stop();
        let mut state = lock(&self.state);
        state.abandoned = true;
        let unread = state.failure.clone();
        drop(state);
        if let Some(error) = unread {
            release::report(&error);
        }
    }

    /// Drops what is queued.
    pub(super) fn drop_requests(&self) {
        let mut state = lock(&self.state);
        let requests = mem::take(&mut state.requests);
        let reason = state.reason();
        drop(state);
        refuse(requests, reason.as_ref());
    }

    /// Waits for the end of all threads, at most for the limit. Returns whether they have ended.
    pub(super) fn wait(&self, limit: Option<Duration>) -> bool {
        let is_alone = |state: &State<Q, A>| state.running == 0;
        is_alone(&wait_until(
            &self.changed,
            lock(&self.state),
            limit,
            is_alone,
        ))
    }

    /// Returns the error of the first thread that has given up.
    pub(super) fn failure(&self) -> Option<Error> {
        lock(&self.state).failure.clone()
    }
}
