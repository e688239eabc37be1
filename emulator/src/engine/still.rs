//! Waits with a limit under a still clock: the limit passes when the work that is waited for cannot go on.
//!
//! It cannot go on in two cases. First, if a task that hangs, or a wait for a record that was dropped, stands in front of it
//! or of a task that it certainly waits for, or if such tasks wait in a circle. Second, if nothing that is queued can go on
//! in any stream. Functions of the program, other ranks, and waits that end by a limit of their own go on; other threads of the
//! program do not count, because nobody knows what they will queue.

use std::ptr;
use std::thread;
use std::time::Instant;

use super::drive::{TimedOut, earlier};
use crate::engine::engine;
use crate::engine::queue::{Blocked, Ran, Stream};
use crate::sync::Ticket;

/// The result of a step.
enum Step {
    /// A task ran, or another thread holds a stream and may run one.
    Ran,
    /// A thread has to go on first, or a wait ends by itself at the instant.
    Wait(Option<Instant>),
    /// Nothing can go on.
    Stuck,
}

/// Runs tasks until a stream has completed `seq` of them, or cannot go on.
pub(super) fn drive(
    stream: &'static Stream,
    seq: u64,
    unless_aborted: bool,
) -> Result<(), TimedOut> {
    let mut ticket = None;
    loop {
        if unless_aborted && stream.is_aborted() {
            return Err(TimedOut);
        }
        if stream.completed() >= seq {
            return Ok(());
        }
        if let Some(seeded) = &engine().seeded
            && seeded.goes_on()
        {
            ticket = None;
            continue;
        }
        match (step(stream, seq), ticket.take()) {
            (Step::Ran, _) => {}
            (Step::Stuck, _) => return Err(TimedOut),
            // Take a ticket, check once more, then sleep until the next announcement.
            (Step::Wait(_), None) => ticket = Some(engine().progress.ticket()),
            (Step::Wait(wake), Some(held)) => {
                Ticket::wait(held, wake);
            }
        }
    }
}

/// Runs one task of a stream, or of a stream that it certainly waits for, or else of any stream.
fn step(stream: &'static Stream, seq: u64) -> Step {
    let mut visited = vec![stream];
    let (mut current, mut until) = (stream, seq);
    loop {
        match current.run(until, 1, false) {
            Ran::Blocked(Blocked::Stream(next, seq), None) => {
                for seen in &visited {
                    if ptr::eq(*seen, next) {
                        return Step::Stuck;
                    }
                }
                visited.push(next);
                (current, until) = (next, seq);
            }
            Ran::Blocked(Blocked::Never, None) => return Step::Stuck,
            Ran::Blocked(Blocked::Elsewhere | Blocked::Rank, wake) => return Step::Wait(wake),
            Ran::Blocked(..) => return step_any(),
            Ran::Done => return Step::Ran,
            Ran::Busy | Ran::Coming => {
                thread::yield_now();
                return Step::Ran;
            }
        }
    }
}

/// Runs one task of any stream.
fn step_any() -> Step {
    let before = moved();
    let (mut goes_on, mut wake) = (false, None);
    for (_, stream) in engine().streams.iter() {
        if stream.is_idle() {
            continue;
        }
        let completed = stream.completed();
        let ran = stream.run(completed + 1, 1, false);
        if stream.completed() > completed {
            return Step::Ran;
        }
        let (blocked, expiry) = match ran {
            Ran::Blocked(blocked, expiry) => (blocked, expiry),
            Ran::Done => continue,
            Ran::Busy | Ran::Coming => {
                thread::yield_now();
                return Step::Ran;
            }
        };
        wake = earlier(wake, expiry);
        goes_on |= match blocked {
            Blocked::Elsewhere | Blocked::Rank => true,
            // The time is that of the next look. The wait does not end then.
            Blocked::Number(_) => false,
            _ => expiry.is_some(),
        };
    }
    if goes_on {
        Step::Wait(wake)
    } else if moved() != before {
        // Another thread has run or queued a task meanwhile, and a stream that was looked at before may go on now.
        Step::Ran
    } else {
        Step::Stuck
    }
}

/// Returns how many tasks of all streams were queued or have run. Both numbers only grow, so two equal answers show that nothing
/// moved in between.
fn moved() -> u64 {
    let mut sum = 0;
    for (_, stream) in engine().streams.iter() {
        sum += stream.submitted() + stream.completed();
    }
    sum
}
