//! Worker threads: work goes on while nobody synchronises.
//!
//! Waking a thread costs the waker 8 µs, so it is done for large work only, once per change from idle
//! to busy. Small work is found by one thread, the watcher, which looks about every millisecond while
//! any is queued or was lately, and which lets alone what a synchronising thread keeps moving. When
//! nothing is queued all of them sleep.

use std::sync::atomic::Ordering;
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::Duration;

use crate::config::{EmulatorConfig, Schedule};
use crate::engine::engine;
use crate::engine::queue::Stream;
use crate::sync::{Post, lock, threads};

/// Work of this many bytes is worth waking a thread: copying them takes longer than that.
pub(crate) const LARGE: usize = 2 << 20;
/// How often the watcher looks; less often, up to the second figure, while nothing moves.
const LOOK: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(32));
/// Looks without work before the watcher goes to sleep, or looks less often.
const QUIET: u32 = 20;

/// The worker threads.
#[derive(Debug)]
pub(crate) struct Pool {
    /// Threads to run at most; none when the schedule has none.
    size: usize,
    /// Whether a thread is the watcher, or was called to become it.
    watched: Post,
    crew: Mutex<Crew>,
    called: Condvar,
}

#[derive(Debug, Default)]
struct Crew {
    started: usize,
    /// Threads that sleep.
    asleep: usize,
    /// Calls that no thread has followed yet.
    calls: usize,
    /// The watcher's role waits for a thread to take it.
    vacant: bool,
}

impl Pool {
    /// A pool without threads; they start on first need.
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

    /// Learns that a task was submitted to a stream.
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

    /// Sees to it that somebody looks for work soon.
    #[inline]
    pub(crate) fn watch(&'static self) {
        if self.size > 0 && self.watched.take() {
            self.call(true);
        }
    }

    /// Calls a thread, to become the watcher or for large work.
    #[cold]
    fn call(&'static self, to_watch: bool) {
        let mut crew = lock(&self.crew);
        crew.vacant |= to_watch;
        crew.calls = (crew.calls + 1).min(self.size);
        if crew.asleep < crew.calls && crew.started < self.size {
            let name = format!("ascendcl-worker-{}", crew.started);
            let started = threads::start(name, Box::new(|| self.work()));
            // Without threads the synchronising ones do everything.
            crew.started += usize::from(started);
        }
        drop(crew);
        self.called.notify_one();
    }

    /// The life of a worker.
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
                // The last look, which `Post` asks for.
                continue;
            }
            let nap = watching.then_some(if quiet > QUIET { LOOK.1 } else { LOOK.0 });
            if self.sleep(nap) {
                watching = true;
                quiet = 0;
            }
        }
    }

    /// Runs what is ripe; whether there was any.
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
                // Somebody keeps it moving, or it was submitted a moment ago.
                continue;
            }
            if urgent && std::mem::take(watching) {
                // This may take long: somebody else watches meanwhile, if there is a need to.
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

    /// Sleeps until called, or for a while; whether the watcher's role came with the call.
    fn sleep(&self, nap: Option<Duration>) -> bool {
        let mut crew = lock(&self.crew);
        if crew.calls == 0 {
            crew.asleep += 1;
            crew = match nap {
                None => match self.called.wait(crew) {
                    Ok(crew) => crew,
                    Err(poisoned) => poisoned.into_inner(),
                },
                Some(nap) => match self.called.wait_timeout(crew, nap) {
                    Ok((crew, _)) => crew,
                    Err(poisoned) => poisoned.into_inner().0,
                },
            };
            crew.asleep -= 1;
        }
        crew.calls = crew.calls.saturating_sub(1);
        std::mem::take(&mut crew.vacant)
    }
}

/// Whether any stream has work left, runnable or not.
fn is_anything_left() -> bool {
    engine().streams.iter().any(|(_, stream)| !stream.is_idle())
}
