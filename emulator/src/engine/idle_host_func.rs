//! Host functions under schedules that have no workers.
//!
//! Under these schedules nothing runs before a call waits for it. But a program may sleep until its host function is
//! called, and make no call meanwhile. So after a delay a thread runs a stream up to its host function. The delay is
//! so long that programs which still make calls are not affected.

use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use crate::config::Schedule;
use crate::engine::drive::drive;
use crate::engine::engine;
use crate::engine::submit::Target;
use crate::handles::slots::Slot;
use crate::results::list_of;
use crate::sync::{Mutex, lock, threads};

/// Time that a host function waits for a call that runs it.
const PATIENCE: Duration = Duration::from_secs(1);
/// Interval between two checks of the thread, and the time that it tries.
const LOOK: Duration = Duration::from_millis(50);

/// A host function that is queued.
#[derive(Debug)]
struct Function {
    target: Target,
    number: u64,
    since: Instant,
}

#[derive(Debug)]
struct Waiting {
    functions: Vec<Function>,
    /// Whether a thread handles the waiting functions.
    is_seen_to: bool,
}

static WAITING: Mutex<Waiting> = Mutex::new(Waiting {
    functions: Vec::new(),
    is_seen_to: false,
});

/// Called when a host function was queued as the last task of a stream.
pub(crate) fn queued(target: Target) {
    if engine().config.schedule == Schedule::Eager {
        return;
    }
    let mut waiting = lock(&WAITING);
    waiting.functions.push(Function {
        target,
        number: target.stream.submitted(),
        since: Instant::now(),
    });
    if !waiting.is_seen_to {
        let name = String::from("ascendcl-idle");
        // If the thread cannot be started, the program has to make a call.
        waiting.is_seen_to = threads::start(name, Box::new(see_to));
    }
}

/// Runs the thread, which ends when no function waits any more.
fn see_to() {
    loop {
        thread::sleep(LOOK);
        let mut waiting = lock(&WAITING);
        waiting.functions.retain(Function::waits);
        if waiting.functions.is_empty() {
            waiting.is_seen_to = false;
            return;
        }
        let is_due = |function: &&Function| function.since.elapsed() >= PATIENCE;
        let due = list_of(waiting.functions.iter().filter(is_due));
        let due = list_of(due.iter().map(|due| (due.target, due.number)));
        drop(waiting);
        for (target, number) in due {
            // A function that has not run by then is tried again: it may wait for a later record.
            let _ = drive(target.stream, number, Some(Instant::now() + LOOK));
        }
    }
}

impl Function {
    /// Returns whether the function was not called yet.
    fn waits(&self) -> bool {
        let Target {
            stream, generation, ..
        } = self.target;
        stream.generation().load(Ordering::Acquire) == generation
            && stream.completed() < self.number
    }
}
