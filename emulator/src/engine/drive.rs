//! Execution by waiting threads: a thread that waits for a stream runs the tasks of the stream.
//!
//! Waking a parked thread costs more than most tasks (25 µs against nanoseconds). So the waiting thread runs the work
//! itself, also the work of other streams that its stream waits for. It sleeps only in two cases: another thread runs
//! the task, or no task can run before something else happens.

use std::mem;
use std::ptr;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Instant;

use crate::check;
use crate::config::Clock;
use crate::engine::circle::{Path, Sleep};
use crate::engine::queue::{Blocked, Ran, Stream};
use crate::engine::{engine, still};
use crate::results::list_of;
use crate::sync::Ticket;

/// Number of checks of a busy stream before the thread sleeps.
const SPINS: u32 = 200;
/// Number of times that a thread lets others run before it sleeps until the part of another rank comes. Ranks that have a core each
/// never sleep.
const YIELDS: u32 = 6;
/// Number of queries that find unfinished work before one of them runs a task. So a polling loop ends.
const POLLS: u32 = 2;

/// The error of a wait whose deadline has passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TimedOut;

/// Runs tasks and waits until a stream has completed `seq` tasks.
#[inline(always)]
pub(crate) fn drive(
    stream: &'static Stream,
    seq: u64,
    deadline: Option<Instant>,
) -> Result<(), TimedOut> {
    if stream.completed() >= seq {
        return Ok(());
    }
    drive_slowly(stream, seq, deadline, false)
}

/// Does the same for a call of the program, and gives up when the stream is aborted ([`Stream::is_aborted`]).
pub(crate) fn drive_unless_aborted(
    stream: &'static Stream,
    seq: u64,
    deadline: Option<Instant>,
) -> Result<(), TimedOut> {
    drive_slowly(stream, seq, deadline, true)
}

#[inline(never)]
fn drive_slowly(
    stream: &'static Stream,
    seq: u64,
    deadline: Option<Instant>,
    unless_aborted: bool,
) -> Result<(), TimedOut> {
    if deadline.is_some() && engine().config.clock == Clock::Still {
        return still::drive(stream, seq, unless_aborted);
    }
    if let Some(seeded) = &engine().seeded {
        return seeded.drive(stream, seq, deadline, unless_aborted);
    }
    // With a deadline the clock is read between tasks.
    let most = if deadline.is_some() { 1 } else { u64::MAX };
    let mut chain = Chain::default();
    let mut ticket: Option<(Ticket<'_>, bool)> = None;
    let (mut spins, mut yields) = (0, 0);
    // The time when the first wait of the chain ends without success.
    let mut expiring = None;
    // Whether each wait of the chain is certain to last until the next stream goes on.
    let mut is_certain = true;
    // Whether a circle of waits was reported, which stays one.
    let mut is_told = false;
    loop {
        if unless_aborted && stream.is_aborted() {
            return Err(TimedOut);
        }
        let (current, until) = chain.last().unwrap_or((stream, seq));
        let ran = current.run(until, most, false);
        // The most frequent case first, without a jump table.
        if let Ran::Blocked(Blocked::Stream(next, seq), None) = ran
            && !ptr::eq(next, stream)
            && !chain.contains(next)
        {
            chain.push((next, seq));
            continue;
        }
        let stuck = match ran {
            Ran::Done if current.completed() >= until => {
                if chain.pop().is_none() {
                    return Ok(());
                }
                continue;
            }
            Ran::Done => {
                if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
                    return Err(TimedOut);
                }
                continue;
            }
            Ran::Blocked(Blocked::Rank, _) if yields < YIELDS => {
                yields += 1;
                thread::yield_now();
                continue;
            }
            Ran::Blocked(blocked, expiry) => match blocked.next() {
                Some((next, seq)) if !ptr::eq(next, stream) && !chain.contains(next) => {
                    expiring = earlier(expiring, expiry);
                    is_certain &= matches!(blocked, Blocked::Stream(..));
                    chain.push((next, seq));
                    continue;
                }
                // The streams wait for each other, unless another stream ends one of the waits.
                Some(_) if run_another(|other| chain.contains(other)) => {
                    chain = Chain::default();
                    (expiring, is_certain) = (None, true);
                    continue;
                }
                _ => expiry,
            },
            Ran::Busy if spins < SPINS => {
                spins += 1;
                std::hint::spin_loop();
                continue;
            }
            Ran::Busy => None,
            Ran::Coming => {
                thread::yield_now();
                continue;
            }
        };
        // Take a ticket, check once more, then sleep until the next announcement.
        let wake = earlier(earlier(deadline, expiring), stuck);
        // What this thread saw of each stream of the chain lasts until the part of a rank is announced.
        let of_rank = is_certain && matches!(ran, Ran::Blocked(Blocked::Rank, _));
        let path = (is_certain && check::is_on()).then(|| chain.path(stream));
        chain = Chain::default();
        (expiring, is_certain) = (None, true);
        match ticket.take() {
            Some((held, of_ranks)) if of_rank || !of_ranks => {
                spins = 0;
                let sleep = path.filter(|_| !is_told);
                let sleep = sleep.map(|path| Sleep::begin(path, current, ran));
                is_told |= sleep.as_ref().is_some_and(Sleep::is_told);
                if !held.wait(wake) && deadline.is_some_and(|deadline| deadline <= Instant::now()) {
                    return Err(TimedOut);
                }
            }
            // This thread has no ticket, or has one for the parts of ranks and waits for something else now.
            _ => {
                let all = engine();
                let place = if of_rank { &all.ranks } else { &all.progress };
                ticket = Some((place.ticket(), of_rank));
            }
        }
    }
}

/// The streams that have to run first. Each one is blocked by the next one, which has to complete a number of tasks.
///
/// No stream appears twice, so the length is bounded by the number of streams and not by the number of tasks. The
/// last one is stored separately: most chains have no second one and need no heap memory.
#[derive(Default)]
struct Chain {
    last: Option<(&'static Stream, u64)>,
    others: Vec<(&'static Stream, u64)>,
}

impl Chain {
    #[inline]
    fn last(&self) -> Option<(&'static Stream, u64)> {
        self.last
    }

    #[inline]
    fn contains(&self, stream: &Stream) -> bool {
        let mut all = self.last.iter().chain(&self.others);
        all.any(|(other, _)| ptr::eq(*other, stream))
    }

    /// Returns the streams, behind the first one.
    fn path(&self, first: &Stream) -> Path {
        let all = self.others.iter().chain(&self.last);
        let slots = all.map(|(stream, _)| stream.slot());
        list_of(std::iter::once(first.slot()).chain(slots))
    }

    #[inline]
    fn push(&mut self, link: (&'static Stream, u64)) {
        if let Some(last) = self.last.replace(link) {
            self.others.push(last);
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<(&'static Stream, u64)> {
        mem::replace(&mut self.last, self.others.pop())
    }
}

/// Returns whether a stream has completed `seq` tasks, for a query.
///
/// If the program queries again and again, the query also runs a task. So a polling loop ends even if no other thread
/// runs the stream.
#[inline(always)]
pub(crate) fn nudge(stream: &'static Stream, seq: u64) -> bool {
    if stream.completed() < seq {
        return nudge_on(stream, seq);
    }
    if stream.polls.load(Ordering::Relaxed) != 0 {
        stream.polls.store(0, Ordering::Relaxed);
    }
    true
}

#[inline(never)]
fn nudge_on(stream: &'static Stream, seq: u64) -> bool {
    if let Some(seeded) = &engine().seeded {
        seeded.advance();
    }
    if stream.polls.fetch_add(1, Ordering::Relaxed) >= POLLS {
        step(stream, seq);
    }
    stream.completed() >= seq
}

/// Runs one task of a stream, or of a stream that it waits for. Never sleeps.
pub(crate) fn step(stream: &'static Stream, seq: u64) {
    let mut visited = vec![stream];
    let (mut current, mut until) = (stream, seq);
    while let Ran::Blocked(blocked, _) = current.run(until, 1, false)
        && let Some((next, seq)) = blocked.next()
    {
        let is_seen = |other: &Stream| visited.iter().any(|seen| ptr::eq(*seen, other));
        if is_seen(next) {
            run_another(is_seen);
            return;
        }
        visited.push(next);
        (current, until) = (next, seq);
    }
}

/// Runs one task of a stream for which `left_out` returns false, and returns whether there was one. If several
/// streams set the same flag or write the same number, a wait names only one of them, and another one may end the
/// wait.
#[cold]
fn run_another(left_out: impl Fn(&Stream) -> bool) -> bool {
    let mut streams = engine().streams.iter().map(|(_, stream)| stream);
    streams.any(|stream| {
        let completed = stream.completed();
        if stream.is_idle() || left_out(stream) {
            return false;
        }
        stream.run(completed + 1, 1, false);
        stream.completed() > completed
    })
}

/// Returns the earlier of two instants; `None` means never.
pub(crate) fn earlier(one: Option<Instant>, other: Option<Instant>) -> Option<Instant> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}
