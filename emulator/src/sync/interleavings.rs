//! Loom tests: every order in which a few threads can access their shared state.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p ascendcl-emulator --lib --release sync::interleavings`. Under loom a ring has two
//! places of two tasks, so a few tasks pass through all its states.
#![expect(clippy::unwrap_used, reason = "a failed step is a failed test")]

use std::ops::ControlFlow;

use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use loom::thread;

use super::{Post, Progress, Ring, Snapshot, Spent};

/// Tries all orders with up to three preemptions. Defects that need more are not known.
fn try_all(model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(model);
}

/// Appends to a ring that is never closed, and yields while the ring is full.
fn push(ring: &Ring<Box<u64>>, value: u64) -> u64 {
    let claim = ring.claim(|| true, |_| thread::yield_now());
    claim.unwrap().fill(|_| Box::new(value))
}

/// Runs the tasks of a ring and returns their values, in order. Returns none if another thread runs the ring.
fn run(ring: &Ring<Box<u64>>) -> Vec<u64> {
    let mut values = Vec::new();
    if let Some(mut runner) = ring.take() {
        let take = |values: &mut Vec<u64>, value: &Box<u64>| {
            values.push(**value);
            ControlFlow::<(), _>::Continue(Spent::Owner)
        };
        while runner.step(|value| take(&mut values, value)).is_some() {}
    }
    values
}

#[test]
fn two_threads_append_and_a_third_runs_each_task_once() {
    try_all(|| {
        let ring = Arc::new(Ring::default());
        let threads = [10, 20].map(|value| {
            let ring = Arc::clone(&ring);
            thread::spawn(move || push(&ring, value))
        });
        let mut values = run(&ring);
        let numbers = threads.map(|thread| thread.join().unwrap());
        values.extend(run(&ring));
        let expected = if numbers == [1, 2] {
            [10, 20]
        } else {
            [20, 10]
        };
        assert_eq!(values, expected);
        assert_eq!((ring.completed(), ring.submitted()), (2, 2));
    });
}

#[test]
fn a_full_ring_lets_nobody_overtake_and_recycles_its_segments() {
    try_all(|| {
        let ring = Arc::new(Ring::default());
        let appender = {
            let ring = Arc::clone(&ring);
            thread::spawn(move || {
                for value in 1..=5 {
                    assert_eq!(push(&ring, value), value);
                }
            })
        };
        let mut values = Vec::new();
        while values.len() < 5 {
            values.extend(run(&ring));
            thread::yield_now();
        }
        appender.join().unwrap();
        assert_eq!(values, [1, 2, 3, 4, 5]);
    });
}

#[test]
fn two_threads_run_in_turns_and_never_together() {
    try_all(|| {
        let ring = Arc::new(Ring::default());
        push(&ring, 1);
        push(&ring, 2);
        let other = {
            let ring = Arc::clone(&ring);
            thread::spawn(move || run(&ring))
        };
        let mine = run(&ring);
        let theirs = other.join().unwrap();
        // One thread ran nothing because of the other, or ran after it.
        let mut values = [mine, theirs].concat();
        values.extend(run(&ring));
        values.sort_unstable();
        assert_eq!(values, [1, 2]);
    });
}

#[test]
fn nothing_is_appended_behind_a_close_nor_to_the_next_life() {
    try_all(|| {
        let ring = Arc::new(Ring::default());
        let generation = Arc::new(AtomicU32::new(1));
        let appender = {
            let (ring, generation) = (Arc::clone(&ring), Arc::clone(&generation));
            thread::spawn(move || {
                let alive = || generation.load(Ordering::Acquire) == 1;
                let claim = ring.claim(alive, |_| thread::yield_now());
                claim.map(|claim| claim.fill(|_| Box::new(7)))
            })
        };
        // The steps of closing a stream and of opening its slot again.
        generation.store(2, Ordering::Release);
        ring.close();
        let last = ring.submitted();
        while ring.completed() < last {
            run(&ring);
            thread::yield_now();
        }
        ring.open();
        generation.store(3, Ordering::Release);
        let late = run(&ring);
        let number = appender.join().unwrap();
        assert!(late.is_empty(), "appended to the next life");
        assert_eq!(number.unwrap_or(0), last);
        // A new stream begins with a number of its own.
        assert_eq!((ring.completed(), ring.submitted()), (last + 1, last + 1));
    });
}

#[test]
fn tasks_that_nobody_ran_are_dropped_with_the_ring() {
    struct Counted(Arc<AtomicUsize>);
    impl Drop for Counted {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
    let append = |ring: &Ring<Counted>, dropped| {
        let claim = ring.claim(|| true, |_| ());
        claim.map(|claim| claim.fill(|_| Counted(dropped)))
    };
    try_all(move || {
        let dropped = Arc::new(AtomicUsize::new(0));
        let ring = Arc::new(Ring::default());
        let appender = {
            let (ring, dropped) = (Arc::clone(&ring), Arc::clone(&dropped));
            thread::spawn(move || append(&ring, dropped))
        };
        let number = append(&ring, Arc::clone(&dropped));
        assert!(number.is_some() && appender.join().unwrap().is_some());
        drop(ring);
        assert_eq!(dropped.load(Ordering::Relaxed), 2);
    });
}

#[test]
fn no_wake_up_is_lost() {
    try_all(|| {
        let shared = Arc::new((Ring::default(), Progress::default()));
        push(&shared.0, 1);
        let runner = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                run(&shared.0);
                shared.1.announce();
            })
        };
        // The steps of `drive`: check, take a ticket, check once more, sleep.
        while shared.0.completed() < 1 {
            let ticket = shared.1.ticket();
            if shared.0.completed() < 1 {
                ticket.wait(None);
            }
        }
        runner.join().unwrap();
    });
}

#[test]
fn no_work_stays_unseen_when_the_watcher_leaves() {
    try_all(|| {
        let shared = Arc::new((Ring::default(), Post::default()));
        assert!(shared.1.take());
        let appender = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                push(&shared.0, 1);
                shared.1.take()
            })
        };
        shared.1.leave();
        let seen = shared.0.submitted() == 1;
        let called = appender.join().unwrap();
        assert!(seen || called);
    });
}

/// Adds to both words.
fn add(snapshot: &Snapshot<2>, step: u64) {
    snapshot.update(|words| words.map(|word| word + step));
}

#[test]
fn a_snapshot_is_of_one_moment() {
    try_all(|| {
        let snapshot = Arc::new(Snapshot::default());
        let reader = {
            let snapshot = Arc::clone(&snapshot);
            thread::spawn(move || snapshot.read())
        };
        add(&snapshot, 1);
        let [one, other] = reader.join().unwrap();
        assert_eq!(one, other);
    });
}

#[test]
fn writers_of_a_snapshot_take_turns() {
    try_all(|| {
        let snapshot = Arc::new(Snapshot::default());
        let writer = {
            let snapshot = Arc::clone(&snapshot);
            thread::spawn(move || add(&snapshot, 1))
        };
        add(&snapshot, 10);
        writer.join().unwrap();
        assert_eq!(snapshot.read(), [11, 11]);
    });
}
