//! Random programs of copies, fills, conditional tasks, records and waits over several streams, under every schedule.
//!
//! A program with all necessary waits has the same result as its calls one after the other, with every schedule. The
//! configuration belongs to the process, so each schedule has a process of its own: it runs this executable with the
//! ignored test below.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a failed step is a failed test, and a child reports by its output"
)]

#[macro_use]
#[path = "../common/mod.rs"]
mod common;
mod program;

use std::env;
use std::process::Command;

use ascendcl_emulator::EmulatorConfig;
use common::serial;
use program::{Numbers, STYLES, Style, Waits, run};

/// The variables that say whether the programs of a child have their waits, how they run, and how many programs run.
const WAITS: &str = "SCHEDULES_WAITS";
const STYLE: &str = "SCHEDULES_STYLE";
const PROGRAMS: &str = "SCHEDULES_PROGRAMS";

/// The output of a child: the number of programs with the expected results, and a digest of all results.
#[derive(Debug, PartialEq, Eq)]
struct Report {
    right: usize,
    digest: u64,
}

/// Runs programs in a process with this schedule.
fn explore(schedule: &str, waits: Waits, programs: usize) -> Report {
    explore_as(schedule, Style::Direct, waits, programs)
}

fn explore_as(schedule: &str, style: Style, waits: Waits, programs: usize) -> Report {
    let output = Command::new(env::current_exe().unwrap())
        .args([
            "--exact",
            "programs_of_one_process",
            "--ignored",
            "--nocapture",
        ])
        .env("ASCENDCL_EMULATOR_SCHEDULE", schedule)
        .env(
            WAITS,
            if waits == Waits::Kept {
                "kept"
            } else {
                "left out"
            },
        )
        .env(STYLE, style.name())
        .env(PROGRAMS, programs.to_string())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{schedule}: {text}");
    let line = text.lines().find_map(|line| line.split_once("report: "));
    let (right, digest) = line.and_then(|(_, line)| line.split_once(' ')).unwrap();
    Report {
        right: right.parse().unwrap(),
        digest: digest.parse().unwrap(),
    }
}

#[test]
#[ignore = "the tests below run it in processes of their own"]
fn programs_of_one_process() {
    let _serial = serial(EmulatorConfig::from_env().unwrap());
    check!(device.aclrtSetDevice(0));
    let variable = |name| env::var(name).ok();
    let waits = match variable(WAITS).as_deref() {
        Some("left out") => Waits::LeftOut,
        _ => Waits::Kept,
    };
    let is_named = |style: &Style| variable(STYLE).as_deref() == Some(style.name());
    let style = STYLES.into_iter().find(is_named).unwrap_or(Style::Direct);
    let programs = variable(PROGRAMS).map_or(10, |number| number.parse().unwrap());
    let (mut right, mut digest) = (0, 0u64);
    for seed in 0..programs {
        let (result, expected) = run(&mut Numbers::new(seed as u64), waits, style);
        right += usize::from(result == expected);
        for byte in result {
            digest = (digest ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
    assert!(
        waits == Waits::LeftOut || right == programs,
        "{right} of {programs} are right"
    );
    println!("report: {right} {digest}");
}

#[test]
fn well_ordered_programs_give_the_same_under_every_schedule() {
    let seeds = (0..12).map(|seed| format!("seeded:{seed}"));
    let schedules = ["eager", "lazy"].map(String::from).into_iter().chain(seeds);
    let reports: Vec<_> = schedules
        .map(|name| explore(&name, Waits::Kept, 250))
        .collect();
    for report in &reports {
        assert_eq!(Some(report), reports.first());
        assert_eq!(report.right, 250);
    }
}

/// Checks that programs with their waits have the same results with every schedule.
fn are_right_as(style: Style) {
    let seeds = (0..6).map(|seed| format!("seeded:{seed}"));
    let schedules = ["eager", "lazy"].map(String::from).into_iter().chain(seeds);
    let reports: Vec<_> = schedules
        .map(|name| explore_as(&name, style, Waits::Kept, 150))
        .collect();
    for report in &reports {
        assert_eq!(Some(report), reports.first());
        assert_eq!(report.right, 150);
    }
}

#[test]
fn captured_programs_run_as_their_calls_would_under_every_schedule() {
    are_right_as(Style::Captured);
}

#[test]
fn conditional_tasks_choose_by_what_comes_before_them_under_every_schedule() {
    are_right_as(Style::Conditional);
}

#[test]
fn without_their_waits_conditional_tasks_choose_by_what_a_seed_lets_run_first() {
    let racy = |seed| {
        let schedule = format!("seeded:{seed}");
        explore_as(&schedule, Style::Conditional, Waits::LeftOut, 50)
    };
    let reports = [1, 2].map(racy);
    assert!(
        reports.iter().all(|report| report.right < 40),
        "{reports:?}"
    );
    assert_ne!(reports[0].digest, reports[1].digest);
    assert_eq!(reports[0], racy(1));
}

#[test]
fn without_their_waits_some_programs_go_wrong_for_some_seed() {
    let wrong = |seed| 100 - explore(&format!("seeded:{seed}"), Waits::LeftOut, 100).right;
    let counts: Vec<_> = (0..4).map(wrong).collect();
    assert!(counts.iter().all(|wrong| *wrong > 10), "{counts:?}");
}

#[test]
fn a_seed_repeats_its_order_and_another_has_another() {
    let racy = |seed| explore(&format!("seeded:{seed}"), Waits::LeftOut, 50);
    let first = racy(1);
    assert_eq!(first, racy(1));
    assert_ne!(first.digest, racy(2).digest);
}
