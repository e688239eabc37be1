//! Host functions under schedules that have no workers.
//!
//! Nothing runs there before a call waits for it. But a program may sleep until its own function was
//! called, and make no call meanwhile. So a stream with a host function goes on by itself up to that
//! function, once it has waited for so long that nobody who still computes is disturbed.

use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use crate::config::Schedule;
use crate::engine::drive::drive;
use crate::engine::engine;
use crate::engine::submit::Target;
use crate::handles::slots::Slot;
use crate::sync::{lock, threads};

/// How long a function waits for a call that runs it.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the thread looks, and how long it tries.
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
    /// Whether a thread looks after them.
    is_seen_to: bool,
}

static WAITING: Mutex<Waiting> = Mutex::new(Waiting {
    functions: Vec::new(),
    is_seen_to: false,
});

/// A stream has a host function as its last task.
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
        let name = String::from("ascendcl-patience");
        // Without the thread the program has to make a call, as ever.
        waiting.is_seen_to = threads::start(name, Box::new(see_to));
    }
}

/// The thread: it lives for as long as functions wait.
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
        let due: Vec<_> = waiting.functions.iter().filter(is_due).collect();
        let due: Vec<_> = due.iter().map(|due| (due.target, due.number)).collect();
        drop(waiting);
        for (target, number) in due {
            // What is not over then is tried again: it may wait for a record that is still to come.
            let _ = drive(target.stream, number, Some(Instant::now() + LOOK));
        }
    }
}

impl Function {
    /// Whether it was not called yet.
    fn waits(&self) -> bool {
        let Target {
            stream, generation, ..
        } = self.target;
        stream.generation().load(Ordering::Acquire) == generation
            && stream.completed() < self.number
    }
}
