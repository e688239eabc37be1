//! Random programs of several ranks: operations, messages and batches, inside and outside of groups.
//!
//! `generate.rs` and `group.rs` make a program from a seed. They divide two to four ranks among threads, and know the code of
//! each call and the memory behind it from `oracle.rs`, which moves the memory of all ranks by the definition of each
//! operation. `run.rs` makes the calls.
//!
//! `COLLECTIVES_PROGRAMS` and `COLLECTIVES_SEED` set another number of programs and another first seed.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[macro_use]
#[path = "../common/mod.rs"]
mod common;
mod generate;
mod group;
mod oracle;
mod order;
mod program;
#[path = "../garbage/random.rs"]
mod random;
mod run;

use std::time::Duration;

use ascendcl_emulator::{Check, EmulatorConfig, Schedule};
use common::ranks::{SCHEDULE, again_in_other_schedules};
use common::serial;

/// The number of programs, if the environment names no other one.
const PROGRAMS: u64 = 60;

#[test]
fn other_schedules_have_the_same_results() {
    again_in_other_schedules();
}

#[test]
fn groups_do_what_the_model_says() {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse().unwrap());
    let schedule = match std::env::var(SCHEDULE).as_deref() {
        Ok("lazy") => Schedule::Lazy,
        Ok("seeded") => Schedule::Seeded(3),
        _ => Schedule::Eager,
    };
    // A wait for another rank ends long after each rank has come, on a busy machine too.
    let config = EmulatorConfig::default()
        .with_devices(4)
        .with_check(Check::Collect)
        .with_schedule(schedule)
        .with_rank_timeout(Duration::from_secs(60));
    let _serial = serial(config);
    let first: u64 = number("COLLECTIVES_SEED").unwrap_or(1);
    let count = number("COLLECTIVES_PROGRAMS").unwrap_or(PROGRAMS);
    for seed in first..first + count {
        if let Err(text) = run::run(&generate::generate(seed)) {
            panic!("seed {seed}: {text}");
        }
    }
}

#[test]
fn programs_have_what_they_are_about() {
    let mut found = [0; 6];
    for seed in 1..=PROGRAMS {
        let program = generate::generate(seed);
        let acts = program.acts.iter().flatten();
        let text: String = acts.map(|act| format!("{act:?}\n")).collect();
        let words = ["End(HCCL_E_PARA)", "Side", "Batch", "Barrier", "HostMemory"];
        for (count, word) in found.iter_mut().zip(words) {
            *count += usize::from(text.contains(word));
        }
        found[5] += usize::from(program.threads.iter().any(|ranks| ranks.len() > 1));
    }
    assert!(found.iter().all(|count| *count >= 5), "{found:?}");
}
