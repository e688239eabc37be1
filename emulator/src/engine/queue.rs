//! Streams as queues of tasks: submitting a task, and running the next one.

use std::ops::ControlFlow;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use ascendcl_sys::{ACL_ERROR_RT_STREAM_ABORT, ACL_ERROR_RT_TASK_TIMEOUT, ACL_SUCCESS, aclError};

use crate::check::{self, StreamSlot};
use crate::config::Schedule;
use crate::engine::context::Context;
use crate::engine::drive::drive;
use crate::engine::host_thread::HostCall;
use crate::engine::signal::Flag;
use crate::engine::slow_path::{self, Reason};
use crate::engine::task::{Fault, Hands, Task, Waited};
use crate::engine::{engine, host_thread, watch};
use crate::handles::slots::Slot;
use crate::observe::inject;
use crate::observe::trace::Track;
use crate::sync::{Claim, Ring, Spent};

/// The states of a stream in an abort that lasts, or has failed half-way. Its tasks do not go on.
const ABORTING: u32 = 1;
const HALF_ABORTED: u32 = 2;

/// Number of tasks that a submitting thread runs at a time if the queue is full.
const AHEAD: u64 = 64;

/// A stream: tasks that run one after the other.
///
/// The counters of a slot are never reset. So "the stream has completed n tasks" stays true once it is true, also
/// after the stream is destroyed.
#[derive(Debug, Default)]
pub(crate) struct Stream {
    generation: AtomicU32,
    /// The index of the context of the stream; a closed context outlives its streams.
    pub(crate) context: AtomicU32,
    /// The generation of that context.
    pub(crate) context_generation: AtomicU32,
    pub(crate) priority: AtomicU32,
    pub(crate) flags: AtomicU32,
    /// Whether this is the default stream of its context.
    pub(crate) default: AtomicBool,
    /// Whether a failed task stops its context.
    pub(crate) stop_on_failure: AtomicBool,
    /// The code of the first failed task that no synchronise has returned yet.
    pub(crate) error: AtomicI32,
    /// The number of that task.
    pub(crate) failed_task: AtomicU64,
    /// The number of the last task that an injected fault made fail before another task had failed.
    injected: AtomicU64,
    tasks: Ring<Task>,
    /// Tasks up to this number end without running.
    aborted: AtomicU64,
    /// Tasks up to this number were dropped by an abort of the stream, or lost with the device.
    dropped: AtomicU64,
    /// The code of the waits that ran when tasks were dropped last.
    dropped_by: AtomicI32,
    /// Whether an injected fault makes an abort last ([`ABORTING`]) or has made it fail ([`HALF_ABORTED`]); else 0.
    status: AtomicU32,
    /// The last task of which is known whether an injected fault makes it hang, and the last one that hangs.
    looked_at: AtomicU64,
    hangs: AtomicU64,
    /// The number of consecutive queries that found unfinished work; see [`crate::engine::drive::nudge`].
    pub(crate) polls: AtomicU32,
    /// Whether a worker was woken for large work.
    pub(crate) urgent: AtomicBool,
    /// The value of `completed` when the watcher last checked. If it has not changed since, the watcher runs small
    /// work.
    pub(crate) seen: AtomicU64,
    /// Whether the host thread was woken for the host function at the front.
    pub(crate) host_called: AtomicBool,
    /// Whether `aclrtLaunchHostFunc` was ever called for the stream.
    pub(crate) host_used: AtomicBool,
    /// The thread that runs the callbacks of the stream; 0 means none.
    pub(crate) subscriber: AtomicU64,
    /// The thread that runs the host functions of the stream; 0 means a thread of the emulator.
    pub(crate) host_subscriber: AtomicU64,
    /// The number of the last host function that has begun on the host thread.
    begun: AtomicU64,
    /// The number of the last host function or blocking callback that has returned.
    pub(crate) called_back: AtomicU64,
}

impl Slot for Stream {
    const TAG: u8 = b'S';
    fn generation(&self) -> &AtomicU32 {
        &self.generation
    }
}

/// The reason why a stream is blocked.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Blocked {
    /// The stream waits until another stream has completed a number of tasks.
    Stream(&'static Stream, u64),
    /// The same, unless another stream sets the flag first.
    Maybe(&'static Stream, u64),
    /// The stream waits for a number in memory, which this stream may write, or another one, or the program. The time is
    /// that of the next look.
    Number(Option<(&'static Stream, u64)>),
    /// The stream waits for a flag, and no stream has its latest record.
    Clear,
    /// The host thread, which has asked, calls the function now.
    Begins(HostCall),
    /// The stream waits for a thread: the return of a function, a graph that is being queued.
    Elsewhere,
    /// The stream waits for the part of another rank, which is announced.
    Rank,
    /// Nothing that is queued can end the wait: the task hangs, or waits for a record that was dropped.
    Never,
}

impl Blocked {
    /// Returns the stream that has to go on, if one is known, and the task up to which.
    pub(crate) fn next(self) -> Option<(&'static Stream, u64)> {
        match self {
            Blocked::Stream(next, seq) | Blocked::Maybe(next, seq) => Some((next, seq)),
            Blocked::Number(next) => next,
            _ => None,
        }
    }
}

/// The result of an attempt to run a stream.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Ran {
    /// The stream has completed the requested tasks.
    Done,
    /// The next task has to wait, at most until the instant.
    Blocked(Blocked, Option<Instant>),
    /// Another thread runs the stream.
    Busy,
    /// The next task has a number, but is not in the queue yet.
    Coming,
}

impl Stream {
    /// Returns the identifier of the stream for the checker.
    pub(crate) fn slot(&self) -> StreamSlot {
        StreamSlot(ptr::from_ref(self).addr())
    }

    /// Returns the identifier of the stream for the timeline.
    pub(crate) fn track(&self) -> Track {
        let device = self.context().map(|context| &context.device);
        Track {
            stream: self.slot().0,
            device: device.map_or(0, |device| device.load(Ordering::Relaxed)),
            is_default: self.is_default(),
        }
    }

    /// Returns the number of tasks submitted so far.
    #[inline]
    pub(crate) fn submitted(&self) -> u64 {
        self.tasks.submitted()
    }

    /// Returns the number of tasks completed so far. The memory order is acquire, so the effects of these tasks are
    /// visible.
    #[inline]
    pub(crate) fn completed(&self) -> u64 {
        self.tasks.completed()
    }

    /// Returns whether the queue is empty.
    #[inline]
    pub(crate) fn is_idle(&self) -> bool {
        self.completed() >= self.submitted()
    }

    /// Returns whether tasks of the stream were ever dropped.
    #[inline]
    fn has_dropped(&self) -> bool {
        self.dropped.load(Ordering::Relaxed) != 0
    }

    /// Returns whether this is the default stream of its context.
    pub(crate) fn is_default(&self) -> bool {
        self.default.load(Ordering::Relaxed)
    }

    /// Returns the context of the stream, closed or not.
    #[inline]
    pub(crate) fn context(&self) -> Option<&'static Context> {
        engine().contexts.at(self.context.load(Ordering::Relaxed))
    }

    /// Appends a task to the stream of this generation and returns the number of the task, or `None` if the stream
    /// was destroyed meanwhile. `make` gets the number before any thread can run the task. If the queue is full, the
    /// caller waits and helps to run tasks.
    #[inline(always)]
    pub(crate) fn push(
        &'static self,
        generation: u32,
        large: bool,
        make: impl FnOnce(u64) -> Task,
    ) -> Option<u64> {
        let number = self.claim(generation)?.fill(make);
        self.pushed(number, large);
        Some(number)
    }

    // Like `pushed`, this is separate from `push`, so that it is compiled once and not for each kind of task.
    #[inline(always)]
    fn claim(&'static self, generation: u32) -> Option<Claim<'static, Task>> {
        self.tasks.claim(
            || self.generation.load(Ordering::Acquire) == generation,
            |number| self.make_room(number),
        )
    }

    #[inline(always)]
    fn pushed(&'static self, number: u64, large: bool) {
        if let Some(seeded) = &engine().seeded {
            seeded.advance();
        }
        let was_idle = self.completed() + 1 == number;
        if was_idle || large {
            engine().pool.submitted(self, was_idle, large);
        }
    }

    /// Waits until `number` tasks are complete, because the queue is full.
    #[cold]
    fn make_room(&'static self, number: u64) {
        if engine().config.schedule == Schedule::Eager {
            // Make room for more than one task, as long as no task has to wait.
            let _ = self.run(number + AHEAD, AHEAD, false);
        }
        let _ = drive(self, number, None);
    }

    /// Drops all tasks submitted so far, and returns the number of the last. Waits for them return `code`.
    pub(crate) fn drop_tasks(&self, code: aclError) -> u64 {
        let last = self.submitted();
        self.dropped_by.store(code, Ordering::Relaxed);
        self.dropped.fetch_max(last, Ordering::AcqRel);
        self.abort_to(last);
        // A thread may be asleep because a dropped task had to wait.
        engine().announce();
        last
    }

    /// Begins an abort that lasts, because of an injected fault.
    pub(crate) fn begin_abort(&self) {
        self.status.store(ABORTING, Ordering::Release);
        // Waits for the stream end now.
        engine().announce();
    }

    /// Ends an abort that fails half-way, because of an injected fault.
    pub(crate) fn end_half_aborted(&self) {
        self.status.store(HALF_ABORTED, Ordering::Release);
        slow_path::set(Reason::Aborted, true);
    }

    /// Returns whether the stream is aborted at the time, or an abort has failed half-way.
    #[inline]
    pub(crate) fn is_aborted(&self) -> bool {
        self.status.load(Ordering::Acquire) != 0
    }

    /// Returns whether an abort has failed half-way.
    pub(crate) fn is_half_aborted(&self) -> bool {
        self.status.load(Ordering::Acquire) == HALF_ABORTED
    }

    /// Ends the work of the stream for an abort or a forced destruction. A host function that runs goes on.
    pub(crate) fn abort(&'static self) -> u64 {
        let last = self.drop_tasks(ACL_ERROR_RT_STREAM_ABORT);
        self.status.store(0, Ordering::Release);
        let _ = drive(self, last, None);
        last
    }

    /// Drops all tasks because the device is lost. The next synchronise returns `code`.
    pub(crate) fn lose_tasks(&self, code: aclError) {
        if !self.is_idle() {
            let last = self.drop_tasks(code);
            self.inject(last);
            self.failed(code, last);
        }
        // No wait can succeed any more, so the program cannot know this in another way.
        let last = self.submitted();
        check::note(&|checker| checker.synchronised(self.slot(), last));
    }

    /// Returns the code for a wait that ran while the task of this number was dropped.
    pub(crate) fn drop_of(&self, number: u64) -> Option<aclError> {
        let is_dropped = number <= self.dropped.load(Ordering::Acquire);
        is_dropped.then(|| self.dropped_by.load(Ordering::Relaxed))
    }

    /// Makes the tasks up to this number end without running.
    pub(crate) fn abort_to(&self, last: u64) {
        self.aborted.fetch_max(last, Ordering::AcqRel);
    }

    /// Opens a free slot for a new stream.
    pub(crate) fn open(&self) -> u32 {
        self.error.store(ACL_SUCCESS, Ordering::Relaxed);
        self.injected.store(0, Ordering::Relaxed);
        self.status.store(0, Ordering::Relaxed);
        self.stop_on_failure.store(false, Ordering::Relaxed);
        self.polls.store(0, Ordering::Relaxed);
        self.urgent.store(false, Ordering::Relaxed);
        self.host_used.store(false, Ordering::Relaxed);
        self.subscriber.store(0, Ordering::Relaxed);
        self.host_subscriber.store(0, Ordering::Relaxed);
        self.tasks.open();
        self.generation
            .fetch_add(1, Ordering::Release)
            .wrapping_add(1)
    }

    /// Closes the stream of this generation for further tasks. Returns false if another thread closed it first.
    pub(crate) fn close(&self, generation: u32) -> bool {
        let closed = self.generation.compare_exchange(
            generation,
            generation + 1,
            Ordering::AcqRel,
            Ordering::Relaxed,
        );
        if closed.is_ok() {
            self.tasks.close();
        }
        closed.is_ok()
    }

    /// Runs tasks in order until `until` tasks are complete, `most` tasks have run, or a task has to wait.
    pub(crate) fn run(&'static self, until: u64, most: u64, on_host_thread: bool) -> Ran {
        if self.completed() >= until {
            return Ran::Done;
        }
        let Some(mut runner) = self.tasks.take() else {
            return Ran::Busy;
        };
        let first = runner.completed();
        let until = until.min(first.saturating_add(most));
        let mut hands = Hands::default();
        let progress = &engine().progress;
        let ran = loop {
            let number = runner.completed() + 1;
            if number > until {
                break Ran::Done;
            }
            if number > first + 1 {
                progress.hint();
            }
            let stopped = self.is_given_up(number);
            let step = runner.step(|task| {
                if stopped {
                    return self.give_up(task, number);
                }
                if watch::may_stand() && self.stands(task, number) {
                    return ControlFlow::Break((Blocked::Never, None));
                }
                if let Some(blocked) = self.blocked(task, number, on_host_thread) {
                    return ControlFlow::Break(blocked);
                }
                if !matches!(task, Task::HostFunction(_))
                    && let Err(Fault(code)) = watch::execute(task, self, number, &mut hands)
                {
                    self.failed(code, number);
                }
                if hands.hold_any() && number >= self.submitted() {
                    // Before another thread sees that the last task is over, and frees the memory of the task.
                    hands.let_go();
                }
                ControlFlow::Continue(if task.is_plain() {
                    Spent::Plain
                } else {
                    Spent::Owner
                })
            });
            match step {
                Some(ControlFlow::Continue(_)) => {}
                Some(ControlFlow::Break((blocked, expiry))) => break Ran::Blocked(blocked, expiry),
                None if self.is_idle() => break Ran::Done,
                None => break Ran::Coming,
            }
        };
        let moved = runner.completed() != first;
        drop(runner);
        if moved {
            // After the runner is dropped, so that a thread that found the stream busy does not sleep.
            progress.announce();
        }
        ran
    }

    /// Ends a task that must not run. A host function that runs is waited for, unless an abort has dropped it.
    #[cold]
    fn give_up(
        &self,
        task: &mut Task,
        number: u64,
    ) -> ControlFlow<(Blocked, Option<Instant>), Spent> {
        let is_aborted = number <= self.aborted.load(Ordering::Acquire);
        let runs = || {
            self.begun.load(Ordering::Acquire) == number
                && self.called_back.load(Ordering::Acquire) < number
        };
        match task {
            Task::HostFunction(_) if !is_aborted && runs() => {
                return ControlFlow::Break((Blocked::Elsewhere, None));
            }
            Task::Record(event) if self.drop_of(number) == Some(ACL_ERROR_RT_STREAM_ABORT) => {
                event.drop_record(self, number);
            }
            Task::Other(work) if self.drop_of(number) == Some(ACL_ERROR_RT_STREAM_ABORT) => {
                work.lose();
            }
            _ => {}
        }
        task.abandon();
        ControlFlow::Continue(Spent::Owner)
    }

    /// Returns whether an injected fault makes the task hang, or the stream is aborted. The fault is asked once for each task.
    #[cold]
    fn stands(&self, task: &Task, number: u64) -> bool {
        if self.is_aborted() {
            return true;
        }
        if self.looked_at.swap(number, Ordering::Relaxed) != number && inject::hangs(task.call()) {
            self.hangs.store(number, Ordering::Relaxed);
        }
        self.hangs.load(Ordering::Relaxed) == number
    }

    /// Begins the host function at the front, on the host thread, and returns it with its number. Returns `None` if there is
    /// none that has not begun. The function runs while other threads look at the stream: an abort does not wait for it.
    pub(crate) fn begin_function(&'static self) -> Option<(HostCall, u64)> {
        loop {
            // The thread that made the call holds the stream for a moment longer. This thread must not skip a busy
            // stream: no other thread runs the function.
            match self.run(u64::MAX, 1, true) {
                Ran::Busy => thread::yield_now(),
                Ran::Blocked(Blocked::Begins(call), _) => {
                    return Some((call, self.begun.load(Ordering::Acquire)));
                }
                Ran::Done | Ran::Blocked(..) | Ran::Coming => return None,
            }
        }
    }

    /// Enters that a host function or callback, the `number`th task, has returned.
    pub(crate) fn returned(&self, number: u64) {
        self.called_back.fetch_max(number, Ordering::AcqRel);
        engine().announce();
        engine().pool.watch();
    }

    /// Returns the code of the task that stopped the context of the stream.
    #[inline]
    pub(crate) fn stopped(&self) -> Option<aclError> {
        if !Context::has_any_failed() {
            return None;
        }
        let code = self.context()?.failure();
        (code != ACL_SUCCESS).then_some(code)
    }

    /// Returns whether the `number`th task must not run: it was aborted, or its context has failed.
    #[inline(always)]
    pub(crate) fn is_given_up(&self, number: u64) -> bool {
        self.stopped().is_some() || number <= self.aborted.load(Ordering::Acquire)
    }

    /// Returns the reason why the task at the front, the `number`th of the stream, cannot run yet.
    fn blocked(
        &'static self,
        task: &mut Task,
        number: u64,
        on_host_thread: bool,
    ) -> Option<(Blocked, Option<Instant>)> {
        let until = |on: &Waited, stream: &'static Stream, seq: u64| {
            if stream.completed() < seq {
                return Some(Blocked::Stream(stream, seq));
            }
            let is_dropped = stream.has_dropped() && on.event.is_dropped(stream, seq);
            is_dropped.then_some(Blocked::Never)
        };
        // The most frequent case first, without a jump table.
        if let Task::Wait {
            on,
            until: (stream, seq),
        } = task
            && on.limit == 0
        {
            return Some((until(on, stream, *seq)?, None));
        }
        let (blocked, on) = match task {
            Task::Wait {
                on,
                until: (stream, seq),
            } => (until(on, stream, *seq)?, on),
            Task::WaitFlag { on } => {
                let blocked = match on.event.flag() {
                    Flag::Set => return None,
                    Flag::Coming(stream, seq) => Blocked::Maybe(stream, seq),
                    Flag::Clear => Blocked::Clear,
                };
                (blocked, on)
            }
            Task::After(points) => {
                let (stream, seq) = points
                    .iter()
                    .find(|(stream, seq)| stream.completed() < *seq)?;
                return Some((Blocked::Stream(stream, *seq), None));
            }
            Task::Other(work) => return work.blocked(self, number),
            Task::HostFunction(call) => {
                if self.called_back.load(Ordering::Acquire) >= number {
                    return None;
                }
                let mut blocked = Blocked::Elsewhere;
                if self.begun.load(Ordering::Acquire) < number {
                    if on_host_thread {
                        self.begun.store(number, Ordering::Release);
                        blocked = Blocked::Begins(*call);
                    } else {
                        host_thread::call(self);
                    }
                }
                return Some((blocked, None));
            }
            _ => return None,
        };
        let expiry = on.expiry();
        if expiry.is_some_and(|expiry| expiry <= Instant::now()) {
            on.limit = 0;
            on.since = Some(Instant::now());
            self.failed(ACL_ERROR_RT_TASK_TIMEOUT, number);
            return None;
        }
        Some((blocked, expiry))
    }

    /// Stores that an injected fault makes a task fail.
    #[cold]
    pub(crate) fn inject(&self, number: u64) {
        if self.error.load(Ordering::Relaxed) == ACL_SUCCESS {
            self.injected.store(number, Ordering::Relaxed);
        }
    }

    /// Returns whether an injected fault made the failed task fail.
    pub(crate) fn is_injected(&self) -> bool {
        self.injected.load(Ordering::Relaxed) == self.failed_task.load(Ordering::Relaxed)
    }

    /// Stores the code of a failed task for the next synchronise.
    fn failed(&self, code: aclError, number: u64) {
        // Stored before the code, because a thread reads the number only after it has seen the code. The tasks of a
        // stream end one after the other, so no other thread writes here.
        if self.error.load(Ordering::Relaxed) == ACL_SUCCESS {
            self.failed_task.store(number, Ordering::Relaxed);
        }
        let _ = self
            .error
            .compare_exchange(ACL_SUCCESS, code, Ordering::AcqRel, Ordering::Relaxed);
        if self.stop_on_failure.load(Ordering::Relaxed)
            && let Some(context) = self.context()
        {
            context.fail(code);
        }
    }
}
