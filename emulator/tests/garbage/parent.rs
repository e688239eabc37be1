//! The parent of the children: starts them, and judges how they end.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The variable with the seed of a child.
pub(crate) const SEED: &str = "ASCENDCL_GARBAGE_SEED";

/// The variable with the file of the calls of a child.
pub(crate) const LOG: &str = "ASCENDCL_GARBAGE_LOG";

/// The variable that makes a child misbehave, for the test of this file.
pub(crate) const FAULT: &str = "ASCENDCL_GARBAGE_FAULT";

/// The exit code of a child in which a wait has no end, after calls that may have caused this.
pub(crate) const WAITS_FOR_EVER: i32 = 77;

/// How a child has ended.
pub(crate) enum Ended {
    Well {
        calls: u64,
        waits: bool,
        reached: BTreeSet<(String, i32)>,
    },
    Badly(String),
}

pub(crate) fn run(seed: u64) -> Ended {
    run_with(seed, None)
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("garbage")
}

/// Runs a seed in a child, which misbehaves if a fault is named.
pub(crate) fn run_with(seed: u64, fault: Option<&str>) -> Ended {
    let folder = folder().join(format!("{}-{seed}", fault.unwrap_or("seed")));
    std::fs::create_dir_all(&folder).unwrap();
    let log = folder.join("calls");
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["child", "--exact", "--nocapture", "--test-threads=1"]);
    command
        .env(SEED, seed.to_string())
        .env(LOG, &log)
        .current_dir(&folder);
    command.envs(fault.map(|fault| (FAULT, fault)));
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let number = |line: &str| {
        line.strip_prefix("calls ")
            .and_then(|calls| calls.parse::<u64>().ok())
    };
    let calls = text.lines().find_map(number);
    let reached = text.lines().filter_map(|line| {
        let (name, code) = line.strip_prefix("reached ")?.split_once(' ')?;
        Some((name.to_owned(), code.parse().ok()?))
    });
    match (output.status.code(), calls) {
        (Some(code @ (0 | WAITS_FOR_EVER)), Some(calls)) => {
            std::fs::remove_dir_all(&folder).unwrap();
            Ended::Well {
                calls,
                waits: code == WAITS_FOR_EVER,
                reached: reached.collect(),
            }
        }
        (code, _) => {
            let what = match (code, output.status.signal()) {
                (None, Some(signal)) => format!("ended by signal {signal}"),
                _ => format!("ended with {code:?}"),
            };
            let said = String::from_utf8_lossy(&output.stderr);
            let log =
                String::from_utf8_lossy(&std::fs::read(&log).unwrap_or_default()).into_owned();
            let last: Vec<_> = log.lines().rev().take(40).collect();
            let last: Vec<_> = last.into_iter().rev().collect();
            Ended::Badly(format!(
                "seed {seed} {what}: {said}\nthe last calls:\n{}",
                last.join("\n")
            ))
        }
    }
}

/// What the children of a run have done.
#[derive(Default)]
pub(crate) struct Totals {
    children: u64,
    calls: u64,
    waits: u64,
    /// The status codes that functions have returned, with the first seed that reached each.
    reached: BTreeMap<(String, i32), u64>,
}

impl Totals {
    pub(crate) fn add(&mut self, seed: u64, ended: Ended) {
        match ended {
            Ended::Badly(text) => panic!("{text}"),
            Ended::Well {
                calls,
                waits,
                reached,
            } => {
                self.children += 1;
                self.calls += calls;
                self.waits += u64::from(waits);
                for pair in reached {
                    self.reached.entry(pair).or_insert(seed);
                }
            }
        }
    }

    /// The number of pairs of a function and a status.
    pub(crate) fn pairs(&self) -> usize {
        self.reached.len()
    }

    /// The seeds that reached something first.
    pub(crate) fn seeds(&self) -> BTreeSet<u64> {
        self.reached.values().copied().collect()
    }

    pub(crate) fn print(&self) {
        let functions: BTreeSet<_> = self.reached.keys().map(|(name, _)| name).collect();
        println!(
            "{} calls in {} processes, {} of which ended in a wait without an end; {} statuses of {} functions",
            self.calls,
            self.children,
            self.waits,
            self.reached.len(),
            functions.len()
        );
    }
}
