//! The report of the findings: at once on standard error, and in a file that is complete at any time.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process;

use tinyjson::JsonValue;

use crate::config::{Check, EmulatorConfig};
use crate::sync::{Mutex, lock};

use super::CHECKER;
use super::finding::{self, Finding, Found, Mistake, number, object};
use super::leaks::{self, Left};
use crate::results::list_of;

/// Maximum number of stored findings, each at a different place of the program.
const KEPT: usize = 1000;
/// Maximum number of findings that are processed, repetitions included; it bounds the time of a program that makes a
/// mistake in a loop.
const LOOKED_AT: u64 = 10_000;

#[derive(Debug)]
pub(super) struct Report {
    findings: Vec<Finding>,
    seen: u64,
    /// Functions without a model that the program called.
    not_modelled: Vec<&'static str>,
    /// Whether findings are written to standard error and change the exit status.
    prints: bool,
    /// Whether leaks change the exit status, too.
    leaks_fail: bool,
    /// The file of the report. `%p` in its name becomes the process number, which changes after a fork.
    file: Option<PathBuf>,
}

static REPORT: Mutex<Report> = Mutex::new(Report {
    findings: Vec::new(),
    seen: 0,
    not_modelled: Vec::new(),
    prints: false,
    leaks_fail: false,
    file: None,
});

/// Prepares the report of the configuration. If the file cannot be written, the program ends.
pub(super) fn start(config: &EmulatorConfig) {
    let mut report = lock(&REPORT);
    report.prints = config.check == Check::Report;
    report.leaks_fail = config.leaks_fail;
    report.file.clone_from(&config.report);
    if !report.write(None) {
        process::exit(2);
    }
}

/// Reports, once, a function that is not modelled. This is no mistake of the program.
pub(super) fn not_modelled(call: &'static str) {
    let mut report = lock(&REPORT);
    if report.not_modelled.contains(&call) {
        return;
    }
    report.not_modelled.push(call);
    if report.prints {
        say(&format!(
            "the program called {call}, which this build of the emulator does not model; it has done nothing"
        ));
    }
    report.write(None);
}

/// How the findings of a child of `fork` are reported. The child has no use for the report of its parent, whose lock another
/// thread may have held at the fork.
pub(super) fn of_child() -> Report {
    let report = lock(&REPORT);
    Report {
        findings: Vec::new(),
        seen: 0,
        not_modelled: Vec::new(),
        prints: report.prints,
        leaks_fail: report.leaks_fail,
        file: report.file.clone(),
    }
}

/// Stores findings and prints each one the first time.
pub(super) fn deliver(found: Vec<Found>) {
    for found in found {
        {
            let mut report = lock(&REPORT);
            report.seen += 1;
            if report.seen > LOOKED_AT {
                return;
            }
        }
        // Without the lock, because looking up lines is slow.
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
        // Now, because a process can end without calling the emulator.
        report.write(None);
    }
}

impl Report {
    /// Reports the only finding of a child of `fork`, and returns whether it changes the exit status.
    pub(super) fn deliver_in_child(mut self, finding: Finding) -> bool {
        if self.prints {
            let line = format!("ascendcl-emulator: {finding}\n");
            // Not by `eprintln`, whose lock another thread may have held at the fork.
            // SAFETY: the pointer and the length are those of a text.
            let _ = unsafe { libc::write(libc::STDERR_FILENO, line.as_ptr().cast(), line.len()) };
        }
        self.findings.push(finding);
        self.write(None);
        self.prints
    }

    /// Writes the file, if the configuration has one. At the end `kept` has the unreleased objects that are no
    /// mistake. Returns false if the file cannot be written.
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
            ("findings", JsonValue::Array(list_of(findings))),
            ("not_modelled", JsonValue::Array(list_of(calls))),
            (
                "kept",
                JsonValue::Array(list_of(kept.map(JsonValue::String))),
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

/// Replaces the content of a file. A reader sees the old or the new content, also after the process was killed.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let mut new = path.to_owned().into_os_string();
    new.push(".new");
    let renamed = fs::write(&new, text).and_then(|()| fs::rename(&new, path));
    // A directory may forbid new files.
    renamed.or_else(|_| fs::write(path, text))
}

/// Returns the findings of the checker so far, the oldest first. At most a thousand are stored.
///
/// The result is empty unless the checker is on ([`Check`](crate::Check), `ASCENDCL_EMULATOR_CHECK=1`). The checker
/// looks for unreleased memory and objects only when the process ends, so they are not in the result.
#[must_use]
pub fn findings() -> Vec<Finding> {
    lock(&REPORT).findings.clone()
}

/// Returns the findings of the checker so far and removes them.
#[must_use]
pub fn take_findings() -> Vec<Finding> {
    std::mem::take(&mut lock(&REPORT).findings)
}

/// Ends the report and returns whether the process has to end with [`EXIT_STATUS`](crate::EXIT_STATUS).
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

/// Ends the report of a program that a fault ends here. Unreleased objects are no mistake: the program could not
/// release them.
pub(super) fn cut_short() {
    if lock(&REPORT).prints {
        conclude(Vec::new());
    }
}

/// Writes the findings and returns whether they change the exit status.
fn conclude(kept: Vec<String>) -> bool {
    let report = lock(&REPORT);
    let findings = &report.findings;
    match findings.len() {
        0 => {}
        1 => say("1 finding"),
        several => say(&format!("{several} findings")),
    }
    let fails = |finding: &Finding| report.leaks_fail || finding.mistake != Mistake::Leak;
    let is_wrong = findings.iter().any(fails);
    if !findings.is_empty() && !is_wrong {
        say(
            "the end of the process releases what is left, so the exit status is that of the program; \
             ASCENDCL_EMULATOR_CHECK=leaks changes it",
        );
    }
    let is_written = report.write(Some(kept));
    is_wrong || !is_written
}

#[expect(
    clippy::print_stderr,
    reason = "a program that is checked has no other place for it"
)]
fn say(text: &str) {
    eprintln!("ascendcl-emulator: {text}");
}
