//! Reporting the findings: at once on the screen, and in a file that is complete at any time.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Mutex;

use tinyjson::JsonValue;

use crate::config::{Check, EmulatorConfig};
use crate::sync::lock;

use super::CHECKER;
use super::finding::{self, Finding, Found, number, object};
use super::leaks::{self, Left};

/// Findings that are kept; each is at a place of its own.
const KEPT: usize = 1000;
/// Repetitions that are looked at; a program in a loop shall come to its end.
const LOOKED_AT: u64 = 10_000;

#[derive(Debug)]
struct Report {
    findings: Vec<Finding>,
    seen: u64,
    /// Functions that the program called although they are not modelled.
    not_modelled: Vec<&'static str>,
    /// Whether findings go to the screen, and into the exit status.
    prints: bool,
    /// Where the report goes; `%p` in it is the process, which a fork makes another one.
    file: Option<PathBuf>,
}

static REPORT: Mutex<Report> = Mutex::new(Report {
    findings: Vec::new(),
    seen: 0,
    not_modelled: Vec::new(),
    prints: false,
    file: None,
});

/// Prepares to report as the configuration asks. A file that cannot be written ends the program.
pub(super) fn start(config: &EmulatorConfig) {
    let mut report = lock(&REPORT);
    report.prints = config.check == Check::Report;
    report.file.clone_from(&config.report);
    if !report.write(None) {
        process::exit(2);
    }
}

/// Tells, once, of a function that is not modelled. It is no mistake of the program's.
pub(super) fn not_modelled(call: &'static str) {
    let mut report = lock(&REPORT);
    if report.not_modelled.contains(&call) {
        return;
    }
    report.not_modelled.push(call);
    if report.prints {
        say(&format!(
            "the program called {call}, which the emulator does not model; it has done nothing"
        ));
    }
    report.write(None);
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
        // Now, because a process can end without a word.
        report.write(None);
    }
}

impl Report {
    /// Writes the file, if there is to be one. At the end `kept` is what was left without being a mistake. False
    /// when it cannot be written.
    fn write(&self, kept: Option<Vec<String>>) -> bool {
        let Some(pattern) = &self.file else {
            return true;
        };
        let name = pattern.to_string_lossy();
        let path = PathBuf::from(name.replace("%p", &process::id().to_string()));
        let known = path.symlink_metadata();
        let is_file = known.map_or(true, |known| known.is_file());
        if !is_file && kept.is_none() {
            // A pipe, a device, or a link to one (`/dev/stdout`) is written once.
            return true;
        }
        let kept = kept.unwrap_or_default().into_iter();
        let findings = self.findings.iter().map(Finding::json);
        let calls = self.not_modelled.iter().map(|call| finding::text(call));
        let text = object(vec![
            ("version", number(1)),
            ("findings", JsonValue::Array(findings.collect())),
            ("not_modelled", JsonValue::Array(calls.collect())),
            (
                "kept",
                JsonValue::Array(kept.map(JsonValue::String).collect()),
            ),
        ]);
        let text = text.format().unwrap_or_default() + "\n";
        let written = if is_file {
            replace(&path, &text)
        } else {
            fs::write(&path, &text)
        };
        if let Err(error) = &written {
            say(&format!(
                "the report {} cannot be written: {error}",
                path.display()
            ));
        }
        written.is_ok()
    }
}

/// Gives a file another content. Who reads it meanwhile, or finds it after the process was killed, has the old
/// one or the new one.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let mut new = path.to_owned().into_os_string();
    new.push(".new");
    let renamed = fs::write(&new, text).and_then(|()| fs::rename(&new, path));
    // A folder may forbid new files.
    renamed.or_else(|_| fs::write(path, text))
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
pub(super) fn end(left: impl FnOnce() -> Left) -> bool {
    if !lock(&REPORT).prints {
        return false;
    }
    let others = left();
    let left = leaks::look(&lock(&CHECKER), &others);
    let excuse = leaks::excuse(&others);
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
    let is_written = report.write(Some(kept));
    !findings.is_empty() || !is_written
}

#[expect(
    clippy::print_stderr,
    reason = "a program that is checked has no other place for it"
)]
fn say(text: &str) {
    eprintln!("ascendcl-emulator: {text}");
}
