//! Telling the user what was found: at once on the screen, and at the end in a file.

use std::fs;
use std::path::PathBuf;
use std::process;
use std::sync::Mutex;

use tinyjson::JsonValue;

use crate::config::{Check, EmulatorConfig};
use crate::sync::lock;

use super::finding::{Finding, Found, number, object};
use super::{CHECKER, leaks};

/// Findings that are kept; each is at a place of its own.
const KEPT: usize = 1000;
/// Repetitions that are looked at; a program in a loop shall come to its end.
const LOOKED_AT: u64 = 10_000;

#[derive(Debug)]
struct Report {
    findings: Vec<Finding>,
    seen: u64,
    /// Whether findings go to the screen, and into the exit status.
    prints: bool,
    file: Option<PathBuf>,
}

static REPORT: Mutex<Report> = Mutex::new(Report {
    findings: Vec::new(),
    seen: 0,
    prints: false,
    file: None,
});

/// Prepares to report as the configuration asks. A file that cannot be written ends the program.
pub(super) fn start(config: &EmulatorConfig) {
    let file = config.report.as_ref().map(|path| {
        let name = path.to_string_lossy();
        PathBuf::from(name.replace("%p", &process::id().to_string()))
    });
    if let Some(path) = &file
        && let Err(error) = fs::write(path, "")
    {
        say(&format!(
            "the report {} cannot be written: {error}",
            path.display()
        ));
        process::exit(2);
    }
    let mut report = lock(&REPORT);
    report.prints = config.check == Check::Report;
    report.file = file;
}

/// Keeps what was found, and shows it the first time.
pub(super) fn deliver(found: Vec<Found>) {
    for found in found {
        {
            let mut report = lock(&REPORT);
            report.seen += 1;
            if report.seen > LOOKED_AT {
                return;
            }
        }
        // Without the lock: looking up lines takes its time.
        let finding = found.finding();
        let mut report = lock(&REPORT);
        if let Some(known) = report
            .findings
            .iter_mut()
            .find(|known| known.repeats(&finding))
        {
            known.times += 1;
            continue;
        }
        if report.findings.len() >= KEPT {
            return;
        }
        if report.prints {
            say(&finding.to_string());
        }
        report.findings.push(finding);
    }
}

/// What the checker found so far, the oldest first; at most a thousand places are kept.
///
/// Empty unless the checker is on ([`Check`](crate::Check), `ASCENDCL_EMULATOR_CHECK=1`). What was
/// never released is looked for when the process ends, not here.
#[must_use]
pub fn findings() -> Vec<Finding> {
    lock(&REPORT).findings.clone()
}

/// What the checker found so far, which is forgotten by this.
#[must_use]
pub fn take_findings() -> Vec<Finding> {
    std::mem::take(&mut lock(&REPORT).findings)
}

/// Ends the report; true when the process shall end with [`EXIT_STATUS`](crate::EXIT_STATUS).
pub(super) fn end() -> bool {
    if !lock(&REPORT).prints {
        return false;
    }
    let left = leaks::look(&lock(&CHECKER));
    let excuse = leaks::excuse();
    let mut kept = Vec::new();
    match excuse {
        None => deliver(left),
        Some(_) => kept.extend(left.into_iter().map(|one| one.text)),
    }
    if let Some(excuse) = excuse.filter(|_| !kept.is_empty()) {
        say(&format!("left at the end, {excuse}: {}", kept.join("; ")));
    }
    conclude(kept)
}

/// Ends the report of a program that ends by itself at this point: it had no chance to release anything.
pub(super) fn cut_short() {
    if lock(&REPORT).prints {
        conclude(Vec::new());
    }
}

/// Writes what was found; true when there is anything.
fn conclude(kept: Vec<String>) -> bool {
    let report = lock(&REPORT);
    let findings = &report.findings;
    match findings.len() {
        0 => {}
        1 => say("1 finding"),
        several => say(&format!("{several} findings")),
    }
    if let Some(path) = &report.file {
        let text = object(vec![
            ("version", number(1)),
            (
                "findings",
                JsonValue::Array(findings.iter().map(Finding::json).collect()),
            ),
            (
                "kept",
                JsonValue::Array(kept.into_iter().map(JsonValue::String).collect()),
            ),
        ]);
        let text = text.format().unwrap_or_default() + "\n";
        if let Err(error) = fs::write(path, text) {
            say(&format!(
                "the report {} cannot be written: {error}",
                path.display()
            ));
            return true;
        }
    }
    !findings.is_empty()
}

#[expect(
    clippy::print_stderr,
    reason = "a program that is checked has no other place for it"
)]
fn say(text: &str) {
    eprintln!("ascendcl-emulator: {text}");
}
