//! The seeded schedule: at each step any stream whose next task may run can be next.
//!
//! There are no workers. Each submission, each look at a stream and each wait lets a number of tasks
//! run, which ones and how many is drawn from the seed. So one thread that submits gets the same order
//! for the same seed. Host functions and callbacks run on threads of their own, which no seed orders.

use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use crate::config::Schedule;
use crate::engine::drive::{TimedOut, earlier};
use crate::engine::engine;
use crate::engine::queue::{Ran, Stream};
use crate::sync::lock;

/// Draws which task is next.
#[derive(Debug)]
pub(crate) struct Seeded {
    numbers: Mutex<Numbers>,
}

impl Seeded {
    /// For the schedule, if it is a seeded one.
    pub(crate) fn new(schedule: Schedule) -> Option<Seeded> {
        match schedule {
            Schedule::Seeded(seed) => Some(Seeded {
                numbers: Mutex::new(Numbers(seed)),
            }),
            Schedule::Eager | Schedule::Lazy => None,
        }
    }

    /// Lets a few tasks run: none in half of the cases, one in a quarter, and so on.
    #[cold]
    pub(crate) fn advance(&self) {
        let tasks = lock(&self.numbers).next().trailing_zeros();
        for _ in 0..tasks {
            if let Step::Stuck(_) = self.step() {
                return;
            }
        }
    }

    /// Lets tasks run until a stream has completed `seq` of them.
    pub(crate) fn drive(
        &self,
        stream: &'static Stream,
        seq: u64,
        deadline: Option<Instant>,
    ) -> Result<(), TimedOut> {
        let mut ticket = None;
        while stream.completed() < seq {
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
            // Stuck. Look once more with a ticket in hand, then sleep until something was announced.
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

    /// Runs one task of a stream that is drawn among those that can run.
    fn step(&self) -> Step {
        let mut streams: Vec<&'static Stream> = engine()
            .streams
            .iter()
            .map(|(_, stream)| stream)
            .filter(|stream| !stream.is_idle())
            .collect();
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
                    // Nobody announces its arrival, so it is no reason to sleep.
                    thread::yield_now();
                    return Step::Ran;
                }
                // Whoever has it may have found that nothing can run, and announces nothing when it lets go.
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

/// What came of a step.
enum Step {
    /// A task ran, or is about to be there.
    Ran,
    /// Nothing can run, at the latest until the instant.
    Stuck(Option<Instant>),
}

/// Numbers that follow from a seed, as good as drawn (SplitMix64).
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

    /// A number below `len`, which is not 0.
    fn below(&mut self, len: usize) -> usize {
        (self.next() % len as u64) as usize
    }
}
