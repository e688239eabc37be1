//! Every function of the C ABI with garbage: handles that never existed, that were destroyed or that name objects of
//! another kind, null, sizes of 0 and of almost everything, enumerations out of their range.
//!
//! The functions and the kinds of their arguments come from the lists of `ascendcl-sys` (`list.rs`), so a new function
//! is called without a change here. `draw.rs` draws the arguments from pools (`pools.rs`) that the results of earlier
//! calls fill. `sequence.rs` calls some functions, releases what is left, and checks that nothing stays. A child process
//! runs the sequences of a seed, and `parent.rs` judges how the child ends.
//!
//! Pointers to results, structures, texts and arrays are valid here. The emulator dereferences them, as C does.
//!
//! New seeds run for a time with `ASCENDCL_FUZZ_SECONDS` and `ASCENDCL_FUZZ_SEED` (`CONTRIBUTING.md`). The seeds in
//! `seeds.txt` are those that reached a status which no earlier seed had reached.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the parent reads what a child prints, and a person reads what the parent prints"
)]

mod arena;
mod draw;
mod list;
mod parent;
mod pools;
mod random;
mod sequence;

use std::time::{Duration, Instant};

use parent::{Ended, Totals, run};

/// The seeds of the repository.
const SEEDS: &str = include_str!("seeds.txt");

/// The number of seconds for new seeds.
const SECONDS: &str = "ASCENDCL_FUZZ_SECONDS";

/// The first new seed.
const FIRST: &str = "ASCENDCL_FUZZ_SEED";

fn seeds() -> impl Iterator<Item = u64> {
    SEEDS.lines().map(|line| line.parse().unwrap())
}

/// A child runs its seed here. Otherwise this checks that the lists were read.
#[test]
fn child() {
    if let Ok(seed) = std::env::var(parent::SEED) {
        sequence::child(seed.parse().unwrap());
    }
    let functions = list::functions();
    assert!(functions.len() > 400, "{} functions", functions.len());
    assert!(functions.iter().any(|function| function.name == "aclnnAdd"));
}

#[test]
fn garbage_is_answered_by_a_known_status_and_leaves_nothing() {
    let mut totals = Totals::default();
    for seed in seeds() {
        totals.add(seed, run(seed));
    }
    totals.print();
    assert!(totals.pairs() > 300, "too few statuses were reached");
}

#[test]
fn new_seeds_are_answered_for_a_time() {
    let Ok(seconds) = std::env::var(SECONDS) else {
        assert!(seeds().count() > 0);
        return;
    };
    let end = Instant::now() + Duration::from_secs(seconds.parse().unwrap());
    let first = std::env::var(FIRST).map_or(1_000_000, |first| first.parse().unwrap());
    let mut totals = Totals::default();
    for seed in seeds() {
        totals.add(seed, run(seed));
    }
    let known = totals.seeds();
    for seed in first.. {
        if Instant::now() > end {
            break;
        }
        totals.add(seed, run(seed));
    }
    totals.print();
    let new: Vec<_> = totals.seeds().difference(&known).copied().collect();
    println!("seeds with a new status: {new:?}");
}

/// A parent must not take a child that crashes, hangs or leaks for a good one.
#[test]
fn a_bad_child_is_recognised() {
    for (fault, expected) in [
        ("crash", "signal"),
        ("hang", "does not return"),
        ("status", "is no status"),
        ("leak", "is left"),
    ] {
        match parent::run_with(7, Some(fault)) {
            Ended::Badly(text) => assert!(text.contains(expected), "{fault}: {text}"),
            Ended::Well { .. } => panic!("{fault} was not seen"),
        }
    }
}
