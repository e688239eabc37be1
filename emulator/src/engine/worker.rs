//! Worker threads, which run queued work while no thread synchronises.
//!
//! Waking a thread costs the waking thread 8 µs. So the emulator wakes one for large work only, once per change from
//! idle to busy. One thread, the watcher, finds small work: it checks about every millisecond while work is queued or
//! was queued lately. It does not run streams that a synchronising thread makes progress on. If nothing is queued,
//! all workers sleep.

use std::sync::Condvar;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use crate::config::{EmulatorConfig, Schedule};
use crate::engine::engine;
use crate::engine::queue::Stream;
use crate::sync::{Mutex, Post, lock, threads};

/// Size in bytes from which work wakes a thread. Copying this many bytes takes longer than waking one.
pub(crate) const LARGE: usize = 2 << 20;
/// The shortest and the longest interval between two checks of the watcher. The longest applies while nothing moves.
const LOOK: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(32));
/// Number of checks without work before the watcher sleeps, or checks less often.
const QUIET: u32 = 20;

/// The worker threads.
#[derive(Debug)]
pub(crate) struct Pool {
    /// Maximum number of threads; 0 if the schedule has no workers.
    size: usize,
    /// The role of the watcher, taken if a thread is the watcher or was woken to become it.
    watched: Post,
    crew: Mutex<Crew>,
    called: Condvar,
}

#[derive(Debug, Default)]
struct Crew {
    started: usize,
    /// Number of sleeping threads.
    asleep: usize,
    /// Number of wake-ups that no thread has followed yet.
    calls: usize,
    /// Whether the role of the watcher waits for a thread.
    vacant: bool,
}

impl Pool {
    /// Creates a pool without threads; they start on first need.
    pub(crate) fn new(config: &EmulatorConfig) -> Pool {
        let processors = || {
            thread::available_parallelism()
                .map_or(1, usize::from)
                .clamp(1, 4)
        };
        let size = match config.schedule {
            Schedule::Lazy | Schedule::Seeded(_) => 0,
            Schedule::Eager => config.workers.unwrap_or_else(processors),
        };
        Pool {
            size,
            watched: Post::default(),
            crew: Mutex::default(),
            called: Condvar::new(),
        }
    }

    /// Called after a task was submitted to a stream.
    #[inline]
    pub(crate) fn submitted(&'static self, stream: &Stream, was_idle: bool, large: bool) {
        if self.size == 0 {
            return;
        }
        if large && (!stream.urgent.swap(true, Ordering::AcqRel) || was_idle) {
            self.call(false);
        }
        if was_idle {
            self.watch();
        }
    }

    /// Ensures that a thread looks for work soon.
    #[inline]
    pub(crate) fn watch(&'static self) {
        if self.size > 0 && self.watched.take() {
            self.call(true);
        }
    }

    /// Wakes or starts a thread, as the watcher or for large work.
    #[cold]
    fn call(&'static self, to_watch: bool) {
        let mut crew = lock(&self.crew);
        crew.vacant |= to_watch;
        crew.calls = (crew.calls + 1).min(self.size);
        if crew.asleep < crew.calls && crew.started < self.size {
            let name = format!("ascendcl-worker-{}", crew.started);
            let started = threads::start(name, Box::new(|| self.work()));
            // If no thread can be started, the synchronising threads run all work.
            crew.started += usize::from(started);
        }
        drop(crew);
        self.called.notify_one();
    }

    /// Runs a worker thread.
    fn work(&'static self) {
        let mut watching = false;
        let mut quiet = 0;
        loop {
            if self.look(&mut watching) {
                quiet = 0;
                continue;
            }
            let left = is_anything_left();
            if !watching && left {
                watching = self.watched.take();
                quiet = 0;
            }
            quiet += 1;
            if watching && quiet > QUIET && !left {
                watching = false;
                self.watched.leave();
                // The last check, which `Post` requires.
                continue;
            }
            let nap = watching.then_some(if quiet > QUIET { LOOK.1 } else { LOOK.0 });
            if self.sleep(nap) {
                watching = true;
                quiet = 0;
            }
        }
    }

    /// Runs the work that is due, and returns whether there was any.
    fn look(&'static self, watching: &mut bool) -> bool {
        let mut moved = false;
        for (_, stream) in engine().streams.iter() {
            let completed = stream.completed();
            if completed >= stream.submitted() {
                continue;
            }
            let urgent = stream.urgent.load(Ordering::Acquire);
            let seen = stream.seen.swap(completed, Ordering::Relaxed);
            if !urgent && seen != completed {
                // Another thread makes progress on it, or it was submitted a moment ago.
                continue;
            }
            if urgent && std::mem::take(watching) {
                // This may take long. Another thread becomes the watcher meanwhile, if there is other work.
                self.watched.leave();
                let others = engine()
                    .streams
                    .iter()
                    .any(|(_, s)| !std::ptr::eq(s, stream) && !s.is_idle());
                if others {
                    self.watch();
                }
            }
            let _ = stream.run(u64::MAX, u64::MAX, false);
            stream.urgent.store(false, Ordering::Release);
            moved |= stream.completed() != completed;
        }
        moved
    }

    /// Sleeps until a wake-up or for a time, and returns whether the thread became the watcher.
    fn sleep(&self, nap: Option<Duration>) -> bool {
        let mut crew = lock(&self.crew);
        if crew.calls == 0 {
            crew.asleep += 1;
            crew = crew.wait(&self.called, nap);
            crew.asleep -= 1;
        }
        crew.calls = crew.calls.saturating_sub(1);
        std::mem::take(&mut crew.vacant)
    }
}

/// Returns whether any stream has unfinished work, runnable or not.
fn is_anything_left() -> bool {
    engine().streams.iter().any(|(_, stream)| !stream.is_idle())
}
