//! Streams as queues: submitting a task, and running the next one.

use std::ops::ControlFlow;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, Ordering};
use std::time::Instant;

use ascendcl_sys::{ACL_ERROR_RT_TASK_TIMEOUT, ACL_SUCCESS, aclError};

use crate::check::StreamSlot;
use crate::config::Schedule;
use crate::engine::context::Context;
use crate::engine::drive::drive;
use crate::engine::signal::Flag;
use crate::engine::task::{Fault, Hands, Task};
use crate::engine::{engine, host_thread, watch};
use crate::handles::slots::Slot;
use crate::observe::trace::Track;
use crate::sync::{Claim, Ring, Spent};

/// Tasks that whoever finds a queue full runs at a time.
const AHEAD: u64 = 64;

/// A stream: tasks that run one after the other.
///
/// The counters go on over all lives of the slot, so that "the stream has completed n tasks" stays true
/// once it is, whatever becomes of the stream.
#[derive(Debug, Default)]
pub(crate) struct Stream {
    generation: AtomicU32,
    /// The context it belongs to, as an index; a closed context outlives its streams.
    pub(crate) context: AtomicU32,
    /// The generation of that context.
    pub(crate) context_generation: AtomicU32,
    pub(crate) priority: AtomicU32,
    pub(crate) flags: AtomicU32,
    /// Whether it is the default stream of its context.
    pub(crate) default: AtomicBool,
    /// Whether a failed task stops its context.
    pub(crate) stop_on_failure: AtomicBool,
    /// The code of the first failed task that no synchronise has told yet.
    pub(crate) error: AtomicI32,
    /// The number of that task.
    pub(crate) failed_task: AtomicU64,
    tasks: Ring<Task>,
    /// Tasks up to this number end without having acted.
    aborted: AtomicU64,
    /// Queries in a row that found work left; see [`crate::engine::drive::nudge`].
    pub(crate) polls: AtomicU32,
    /// A worker was called for large work.
    pub(crate) urgent: AtomicBool,
    /// `completed` at a worker's last look: small work that did not move since is the worker's.
    pub(crate) seen: AtomicU64,
    /// The host thread was called for the host function in front.
    pub(crate) host_called: AtomicBool,
    /// The stream has seen `aclrtLaunchHostFunc`.
    pub(crate) host_used: AtomicBool,
    /// The thread that runs its callbacks; 0 is none.
    pub(crate) subscriber: AtomicU64,
    /// The thread that runs its host functions; 0 is one of the emulator.
    pub(crate) host_subscriber: AtomicU64,
    /// The number of the last blocking callback that has returned.
    pub(crate) called_back: AtomicU64,
}

impl Slot for Stream {
    const TAG: u8 = b'S';
    fn generation(&self) -> &AtomicU32 {
        &self.generation
    }
}

/// Why a stream stands still.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Blocked {
    /// Until another stream has completed a number of tasks.
    Stream(&'static Stream, u64),
    /// Until something else happens: a record, a callback's return, the host thread.
    Elsewhere,
}

/// What came of an attempt to run a stream.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Ran {
    /// It has completed what was asked for.
    Done,
    /// Its next task has to wait; at the latest until the instant.
    Blocked(Blocked, Option<Instant>),
    /// Another thread runs it.
    Busy,
    /// Its next task was submitted and is on its way into the queue.
    Coming,
}

impl Stream {
    /// What the checker knows it by.
    pub(crate) fn slot(&self) -> StreamSlot {
        StreamSlot(ptr::from_ref(self).addr())
    }

    /// What the timeline knows it by.
    pub(crate) fn track(&self) -> Track {
        let device = self.context().map(|context| &context.device);
        Track {
            stream: self.slot().0,
            device: device.map_or(0, |device| device.load(Ordering::Relaxed)),
            is_default: self.is_default(),
        }
    }

    /// Tasks submitted so far.
    #[inline]
    pub(crate) fn submitted(&self) -> u64 {
        self.tasks.submitted()
    }

    /// Tasks completed so far. Acquire: what they did is visible.
    #[inline]
    pub(crate) fn completed(&self) -> u64 {
        self.tasks.completed()
    }

    /// Whether nothing is queued.
    #[inline]
    pub(crate) fn is_idle(&self) -> bool {
        self.completed() >= self.submitted()
    }

    /// Whether it is the default stream of its context.
    pub(crate) fn is_default(&self) -> bool {
        self.default.load(Ordering::Relaxed)
    }

    /// The context it belongs to, closed or not.
    #[inline]
    pub(crate) fn context(&self) -> Option<&'static Context> {
        engine().contexts.at(self.context.load(Ordering::Relaxed))
    }

    /// Appends a task to the stream in this life; gives its number, or `None` when the stream was
    /// destroyed meanwhile. `make` learns the number before anybody can run the task. A full queue
    /// makes the caller wait, and help.
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

    // Apart from `push`, as is `pushed`, so that they are compiled once, and not for each kind of task.
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
            // Not for one task alone, as long as there is nothing to wait for.
            let _ = self.run(number + AHEAD, AHEAD, false);
        }
        let _ = drive(self, number, None);
    }

    /// Lets the tasks so far end without having acted; gives the number of the last.
    pub(crate) fn abort(&self) -> u64 {
        let last = self.submitted();
        self.abort_to(last);
        last
    }

    /// Lets the tasks up to this one end without having acted.
    pub(crate) fn abort_to(&self, last: u64) {
        self.aborted.fetch_max(last, Ordering::AcqRel);
    }

    /// Opens a fresh slot for a new life.
    pub(crate) fn open(&self) -> u32 {
        self.error.store(ACL_SUCCESS, Ordering::Relaxed);
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

    /// Ends this life: no more tasks. False when somebody else ended it first.
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

    /// Runs tasks in order until `until` tasks are complete, or `most` have run, or one has to wait.
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
                    task.abandon();
                    return ControlFlow::Continue(Spent::Owner);
                }
                if let Some(blocked) = self.blocked(task, number, on_host_thread) {
                    return ControlFlow::Break(blocked);
                }
                if let Err(Fault(code)) = watch::execute(task, self, number, &mut hands) {
                    self.failed(code, number);
                }
                if hands.hold_any() && number >= self.submitted() {
                    // Before anybody learns that the last task is over, and frees what it used.
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
            // After the runner, so that nobody sleeps who found the stream busy a moment ago.
            progress.announce();
        }
        ran
    }

    /// The code of the task that stopped the stream's context.
    #[inline]
    pub(crate) fn stopped(&self) -> Option<aclError> {
        if !Context::has_any_failed() {
            return None;
        }
        let code = self.context()?.failure();
        (code != ACL_SUCCESS).then_some(code)
    }

    /// Whether the `number`th task shall not act: it was aborted, or its context has failed.
    #[inline(always)]
    pub(crate) fn is_given_up(&self, number: u64) -> bool {
        self.stopped().is_some() || number <= self.aborted.load(Ordering::Acquire)
    }

    /// Why the task in front, the stream's `number`th, cannot run yet.
    fn blocked(
        &'static self,
        task: &mut Task,
        number: u64,
        on_host_thread: bool,
    ) -> Option<(Blocked, Option<Instant>)> {
        let until = |stream: &'static Stream, seq: u64| {
            (stream.completed() < seq).then_some(Blocked::Stream(stream, seq))
        };
        // The usual one first, without a table of jumps.
        if let Task::Wait {
            on,
            until: (stream, seq),
        } = task
            && on.limit == 0
        {
            return Some((until(stream, *seq)?, None));
        }
        let (blocked, on) = match task {
            Task::Wait {
                on,
                until: (stream, seq),
            } => (until(stream, *seq)?, on),
            Task::WaitFlag { on } => {
                let blocked = match on.event.flag() {
                    Flag::Set => return None,
                    Flag::Coming(stream, seq) => Blocked::Stream(stream, seq),
                    Flag::Clear => Blocked::Elsewhere,
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
            Task::HostFunction(_) if !on_host_thread => {
                host_thread::call(self);
                return Some((Blocked::Elsewhere, None));
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

    /// Keeps the code of a failed task for the next synchronise.
    fn failed(&self, code: aclError, number: u64) {
        // Before the code, which whoever reads the number has seen. The tasks of a stream end one after
        // the other, so nobody else writes here.
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
