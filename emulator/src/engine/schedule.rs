//! The seeded schedule: at each step any stream whose next task can run may be next.
//!
//! This schedule has no workers. Each submission, query and wait runs some tasks. The seed determines the tasks and
//! their number. So a program with one submitting thread gets the same order for the same seed. Host functions and
//! callbacks run on threads of their own, whose order the seed does not determine.

use std::thread;
use std::time::Instant;

use crate::config::Schedule;
use crate::engine::drive::{TimedOut, earlier};
use crate::engine::engine;
use crate::engine::queue::{Ran, Stream};
use crate::results::list_of;
use crate::sync::{Mutex, lock};

/// The random choice of the next task.
#[derive(Debug)]
pub(crate) struct Seeded {
    numbers: Mutex<Numbers>,
}

impl Seeded {
    /// Creates the choice for a seeded schedule; `None` for the others.
    pub(crate) fn new(schedule: Schedule) -> Option<Seeded> {
        match schedule {
            Schedule::Seeded(seed) => Some(Seeded {
                numbers: Mutex::new(Numbers(seed)),
            }),
            Schedule::Eager | Schedule::Lazy => None,
        }
    }

    /// Runs a few tasks: none in half of the cases, one in a quarter, and so on.
    #[cold]
    pub(crate) fn advance(&self) {
        let tasks = lock(&self.numbers).next().trailing_zeros();
        for _ in 0..tasks {
            if let Step::Stuck(_) = self.step() {
                return;
            }
        }
    }

    /// Runs tasks until a stream has completed `seq` of them.
    pub(crate) fn drive(
        &self,
        stream: &'static Stream,
        seq: u64,
        deadline: Option<Instant>,
        unless_aborted: bool,
    ) -> Result<(), TimedOut> {
        let mut ticket = None;
        while stream.completed() < seq || (unless_aborted && stream.is_aborted()) {
            if unless_aborted && stream.is_aborted() {
                return Err(TimedOut);
            }
            let wake = match self.step() {
                Step::Ran => {
                    ticket = None;
                    None
                }
                Step::Stuck(expiry) => Some(earlier(deadline, expiry)),
            };
            if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
                return Err(TimedOut);
            }
            // No task can run. Take a ticket, check once more, then sleep until the next announcement.
            match (wake, ticket.take()) {
                (None, _) => {}
                (Some(_), None) => ticket = Some(engine().progress.ticket()),
                (Some(wake), Some(held)) => {
                    crate::sync::Ticket::wait(held, wake);
                }
            }
        }
        Ok(())
    }

    /// Runs one task, and returns whether there was one, or one is about to arrive.
    pub(super) fn goes_on(&self) -> bool {
        matches!(self.step(), Step::Ran)
    }

    /// Runs one task of a stream that is drawn at random among those that can run.
    fn step(&self) -> Step {
        let mut streams: Vec<&'static Stream> = list_of(
            engine()
                .streams
                .iter()
                .map(|(_, stream)| stream)
                .filter(|stream| !stream.is_idle()),
        );
        let (mut wake, mut is_busy) = (None, false);
        while !streams.is_empty() {
            let drawn = lock(&self.numbers).below(streams.len());
            let stream = streams.swap_remove(drawn);
            let completed = stream.completed();
            let ran = stream.run(u64::MAX, 1, false);
            if stream.completed() > completed {
                return Step::Ran;
            }
            match ran {
                Ran::Blocked(_, expiry) => wake = earlier(wake, expiry),
                Ran::Coming => {
                    // The arrival of the task is not announced, so the thread must not sleep.
                    thread::yield_now();
                    return Step::Ran;
                }
                // The thread that runs the stream may have found that no task can run. Then it announces nothing when
                // it releases the stream.
                Ran::Busy => is_busy = true,
                Ran::Done => {}
            }
        }
        if is_busy {
            thread::yield_now();
            return Step::Ran;
        }
        Step::Stuck(wake)
    }
}

/// The result of a step.
enum Step {
    /// A task ran, or is about to arrive in the queue.
    Ran,
    /// No task can run, at most until the instant.
    Stuck(Option<Instant>),
}

/// Pseudo-random numbers from a seed (SplitMix64).
#[derive(Debug)]
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut number = self.0;
        number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        number ^ (number >> 31)
    }

    /// Returns a number below `len`, which must not be 0.
    fn below(&mut self, len: usize) -> usize {
        (self.next() % len as u64) as usize
    }
}
