//! The barrier of the blocks of a launch with the schedule `batch`.

use std::sync::Condvar;
use std::time::Instant;

use crate::sync::{Mutex, lock};

/// How a wait for all blocks has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Met {
    /// All blocks have come.
    All,
    /// A block has stopped, so not all will come.
    Stopped,
    /// A block has returned, so not all will come.
    Alone,
    /// The limit is over.
    Late,
}

/// A place where all blocks of a launch meet, again and again.
#[derive(Debug)]
pub(super) struct Barrier {
    state: Mutex<State>,
    moved: Condvar,
}

#[derive(Debug)]
struct State {
    /// The blocks that have not ended.
    running: u32,
    /// The blocks that wait.
    waiting: u32,
    /// The number of meetings so far.
    meetings: u64,
    /// The reason for which there will be no further meeting.
    over: Option<Met>,
}

impl Barrier {
    pub(super) fn new(blocks: u32) -> Barrier {
        Barrier {
            state: Mutex::new(State {
                running: blocks,
                waiting: 0,
                meetings: 0,
                over: None,
            }),
            moved: Condvar::new(),
        }
    }

    /// Waits until all blocks have come, at most until the deadline.
    pub(super) fn meet(&self, deadline: Option<Instant>) -> Met {
        let mut state = lock(&self.state);
        if let Some(over) = state.over {
            return over;
        }
        state.waiting += 1;
        if state.waiting == state.running {
            state.waiting = 0;
            state.meetings += 1;
            self.moved.notify_all();
            return Met::All;
        }
        let meeting = state.meetings;
        loop {
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            state = state.wait(&self.moved, left);
            if state.meetings != meeting {
                return Met::All;
            }
            if let Some(over) = state.over {
                return over;
            }
            if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
                state.over = Some(Met::Late);
                self.moved.notify_all();
                return Met::Late;
            }
        }
    }

    /// Ends a block. The others meet without one another no more.
    pub(super) fn leave(&self, stopped: bool) {
        let mut state = lock(&self.state);
        // A meeting is of all blocks of the launch, so the first block that ends is the last one that could be there.
        let over = if stopped { Met::Stopped } else { Met::Alone };
        state.over.get_or_insert(over);
        drop(state);
        self.moved.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn all_meet_again_and_again() {
        let barrier = Barrier::new(3);
        thread::scope(|threads| {
            for _ in 0..3 {
                threads.spawn(|| {
                    for _ in 0..100 {
                        assert_eq!(barrier.meet(None), Met::All);
                    }
                });
            }
        });
    }

    #[test]
    fn a_block_that_ends_releases_the_others() {
        for (stopped, met) in [(true, Met::Stopped), (false, Met::Alone)] {
            let barrier = Barrier::new(2);
            thread::scope(|threads| {
                let waiting = threads.spawn(|| barrier.meet(None));
                barrier.leave(stopped);
                assert_eq!(waiting.join().ok(), Some(met));
            });
        }
    }

    #[test]
    fn a_limit_ends_the_wait_of_all() {
        let barrier = Barrier::new(3);
        let soon = Instant::now() + Duration::from_millis(5);
        assert_eq!(barrier.meet(Some(soon)), Met::Late);
        assert_eq!(barrier.meet(None), Met::Late);
    }
}
