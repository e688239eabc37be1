//! Waits in a circle: streams that wait for each other, or a function of the program that waits for a stream which waits for
//! the function. The checker reports them before the thread sleeps, maybe for ever.
//!
//! Only waits whose end is certain count. A wait for a flag or a number can end by a task that another thread queues later.

use crate::check::{self, StreamSlot};
use crate::engine::host_thread;
use crate::engine::queue::{Blocked, Ran, Stream};
use crate::observe::calls;
use crate::sync::{Mutex, lock};

/// The streams whose functions sleep in a wait, each with the stream for which it waits.
static SLEEPING: Mutex<Vec<(StreamSlot, StreamSlot)>> = Mutex::new(Vec::new());

/// The streams that a thread waits for: that of its call, then each for which the one before it waits.
pub(super) type Path = Vec<StreamSlot>;

/// A thread that is about to sleep in a wait.
pub(super) struct Sleep {
    /// The stream whose function the thread runs, and the one for which it waits.
    entry: Option<(StreamSlot, StreamSlot)>,
    is_told: bool,
}

impl Sleep {
    /// Reports the circle that a wait closes. The last stream of the path has answered `ran`.
    pub(super) fn begin(mut path: Path, last: &'static Stream, ran: Ran) -> Sleep {
        let mut sleep = Sleep {
            entry: None,
            is_told: true,
        };
        if let Ran::Blocked(blocked, _) = ran
            && let Some((next, _)) = blocked.next()
        {
            if matches!(blocked, Blocked::Stream(..)) {
                path.push(next.slot());
                report(&path, None);
            }
            return sleep;
        }
        sleep.is_told = false;
        let Some(caller) = check::caller() else {
            return sleep;
        };
        let mut next = last.slot();
        let entry = (caller, next);
        sleep.entry = Some(entry);
        let mut sleeping = lock(&SLEEPING);
        sleeping.push(entry);
        // No stream comes twice before the first one does.
        for _ in 0..sleeping.len() {
            let further = sleeping.iter().find(|(by, _)| *by == next);
            match further {
                Some((_, further)) if next != caller => next = *further,
                _ => break,
            }
            path.push(next);
        }
        drop(sleeping);
        if next != caller && host_thread::is_to_run(last) {
            // One thread runs all host functions of a device, and it is this one.
            path.push(caller);
            next = caller;
        }
        if next == caller {
            report(&path, Some(caller));
            sleep.is_told = true;
        }
        sleep
    }

    /// Returns whether the wait was reported.
    pub(super) fn is_told(&self) -> bool {
        self.is_told
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        if let Some(own) = self.entry {
            let mut sleeping = lock(&SLEEPING);
            if let Some(place) = sleeping.iter().position(|entry| *entry == own) {
                sleeping.swap_remove(place);
            }
        }
    }
}

/// Reports streams that wait for each other. `caller` is the stream whose function makes the call.
fn report(path: &[StreamSlot], caller: Option<StreamSlot>) {
    let call = calls::running().map_or("a wait", |call| call.name);
    check::tell(call, &|checker, site| checker.circle(path, caller, site));
}
