//! The run of the blocks of a launch.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use super::barrier::Barrier;
use super::block::{Block, Stop, Why};
use super::memory::Memory;
use super::registered::Kernel;
use super::used::Used;
use crate::sync::threads::Job;
use crate::sync::{Mutex, cores, lock};

/// The bytes of arguments and their memory from which the blocks run on several threads. The start of a thread takes about
/// as long as a kernel for these bytes.
const SMALL: usize = 64 << 10;

/// The place of a memory in this process. Blocks on several threads have it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pointer(pub(super) *mut u8);

// SAFETY: a pointer is a number to its holder. What a block does with it is argued for there: views access it atomically, and
// blocks in C++ share memory as their programmer wrote them.
unsafe impl Send for Pointer {}

// SAFETY: as above; nothing changes through a shared reference.
unsafe impl Sync for Pointer {}

/// A kernel that runs, with what all its blocks share.
pub(super) struct Running<'a> {
    pub(super) kernel: &'a Kernel,
    /// The number of blocks.
    pub(super) count: u32,
    /// The arguments, with addresses of this process.
    pub(super) arguments: &'a [u8],
    pub(super) memories: &'a [Memory],
    /// The places of the memories, in the same order.
    pub(super) pointers: &'a [Pointer],
    /// The addresses that nothing had written before the launch.
    pub(super) holes: &'a [Range<usize>],
    /// Whether the checker wants the accesses.
    pub(super) is_watched: bool,
    pub(super) deadline: Option<Instant>,
    /// The barrier of a launch with the schedule `batch`.
    pub(super) barrier: Option<Barrier>,
    /// Whether a block has stopped, so that no further one begins.
    pub(super) is_over: AtomicBool,
}

/// What the blocks have done.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// The reason of the first block that has stopped, by its number.
    pub(super) stop: Option<Stop>,
    /// The accesses of each block.
    pub(super) used: Vec<(u32, Used)>,
}

impl Running<'_> {
    /// Runs all blocks.
    pub(super) fn run(&self) -> Outcome {
        let outcome = Mutex::new(Outcome::default());
        if self.barrier.is_some() {
            self.run_at_once(&outcome);
        } else {
            let lens = self.memories.iter().map(|one| one.len);
            let bytes = lens.fold(self.arguments.len(), usize::saturating_add);
            let count = self.count as usize;
            let grain = if bytes < SMALL { count } else { 1 };
            cores::distribute(count, grain, 1, &|indices| {
                for index in indices {
                    if !self.is_over.load(Ordering::Relaxed) {
                        self.one(index as u32, &outcome);
                    }
                }
            });
        }
        let mut outcome = outcome.into_inner();
        let is_late = |deadline| deadline <= Instant::now();
        if outcome.stop.is_none() && self.deadline.is_some_and(is_late) {
            let text = format!("{}: the limit of the launch is over", self.kernel.name);
            outcome.stop = Some(Stop {
                block: 0,
                why: Why::Late,
                text,
            });
        }
        outcome
    }

    /// Runs each block on a thread of its own, because they wait for each other.
    fn run_at_once(&self, outcome: &Mutex<Outcome>) {
        thread::scope(|threads| {
            for index in 1..self.count {
                let work: Job<'_> = Box::new(move || self.one(index, outcome));
                let named = thread::Builder::new().name("ascendcl-block".into());
                if named.spawn_scoped(threads, work).is_err() {
                    let text = format!(
                        "{}: the system has no thread for block {index}",
                        self.kernel.name
                    );
                    let stop = Stop {
                        block: index,
                        why: Why::Rule,
                        text,
                    };
                    self.ended(outcome, stop);
                    break;
                }
            }
            self.one(0, outcome);
        });
    }

    /// Runs a block.
    fn one(&self, index: u32, outcome: &Mutex<Outcome>) {
        let (used, stop) = Block::run(self, index);
        if let Some(used) = used {
            lock(outcome).used.push((index, used));
        }
        match stop {
            Some(stop) => self.ended(outcome, stop),
            None => {
                if let Some(barrier) = &self.barrier {
                    barrier.leave(false);
                }
            }
        }
    }

    /// Notes that a block has stopped.
    fn ended(&self, outcome: &Mutex<Outcome>, stop: Stop) {
        self.is_over.store(true, Ordering::Relaxed);
        let mut outcome = lock(outcome);
        // A block that another one has released has no reason of its own.
        let rank = |stop: &Stop| (stop.why == Why::Released, stop.block);
        if outcome
            .stop
            .as_ref()
            .is_none_or(|known| rank(&stop) < rank(known))
        {
            outcome.stop = Some(stop);
        }
        drop(outcome);
        if let Some(barrier) = &self.barrier {
            barrier.leave(true);
        }
    }
}
