//! `cargo xtask sanitize`: the tests of the typed API and of the emulator under the address sanitizer and the leak
//! sanitizer of the compiler.
//!
//! Sanitizers need a nightly toolchain. The standard library of that toolchain is not instrumented, but its allocations
//! are watched as all others.

use std::process::{Command, Stdio};

use crate::error::Error;
use crate::output::say;
use crate::process::{Line, root, target};

/// The sanitizers, each with its options.
const SANITIZERS: [(&str, &str, &str); 2] = [
    ("address", "ASAN_OPTIONS", "detect_leaks=0"),
    ("leak", "LSAN_OPTIONS", ""),
];

/// The tests: those of the typed API, and those of the emulator.
const TESTS: [&str; 2] = [
    "--package ascendcl --test it",
    "--package ascendcl-emulator --lib --tests",
];

/// The words with which a sanitizer begins its report.
const REPORTS: [&str; 2] = ["ERROR: AddressSanitizer", "ERROR: LeakSanitizer"];

const MISSING: &str = "sanitize: there is no nightly toolchain, so nothing was run; install one with\n    \
                       rustup toolchain install nightly";

/// `cargo xtask sanitize`.
pub(crate) fn command() -> Result<(), Error> {
    let host = host().ok_or_else(|| Error::Failed(MISSING.to_owned()))?;
    let mut found = Vec::new();
    for (sanitizer, variable, options) in SANITIZERS {
        for tests in TESTS {
            let folder = target(&root()).join("sanitize").join(sanitizer);
            let line = Line::new(&format!(
                "rustup run nightly cargo test --no-fail-fast --target {host} {tests}"
            ))
            .with_env("RUSTFLAGS", &format!("-Zsanitizer={sanitizer}"))
            .with_env("CARGO_TARGET_DIR", &folder.display().to_string())
            .with_env(variable, options);
            say(&format!("{line}\n"));
            let (status, said) = line.output()?;
            let counts = Counts::of(&said);
            say(&format!("{sanitizer}: {counts}\n"));
            if !status.success() || counts.reports > 0 || counts.passed == 0 {
                found.push(format!("{said}\n{sanitizer}: `{line}`: {counts}"));
            }
        }
    }
    if found.is_empty() {
        return Ok(());
    }
    Err(Error::Failed(found.join("\n")))
}

/// The name of this machine's target, from the nightly compiler; `None` without one.
fn host() -> Option<String> {
    let mut rustc = Command::new("rustup");
    rustc.args(["run", "nightly", "rustc", "--version", "--verbose"]);
    let output = rustc.stderr(Stdio::null()).output().ok()?;
    let said = String::from_utf8(output.stdout).ok()?;
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).filter(|_| output.status.success())
}

/// The numbers in the output of `cargo test`.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    passed: u64,
    failed: u64,
    reports: usize,
}

impl Counts {
    fn of(said: &str) -> Counts {
        let mut counts = Counts::default();
        for line in said
            .lines()
            .filter(|line| line.starts_with("test result: "))
        {
            let number = |word: &str| {
                let (before, _) = line.split_once(word)?;
                before.split_whitespace().last()?.parse::<u64>().ok()
            };
            counts.passed += number(" passed").unwrap_or_default();
            counts.failed += number(" failed").unwrap_or_default();
        }
        counts.reports = said
            .lines()
            .filter(|line| REPORTS.iter().any(|report| line.contains(report)))
            .count();
        counts
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Counts {
            passed,
            failed,
            reports,
        } = self;
        write!(
            f,
            "{passed} tests passed, {failed} failed, {reports} reports"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::Counts;

    #[test]
    fn tests_and_reports_are_counted() {
        let said = "\
test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 1.00s
==7==ERROR: LeakSanitizer: detected memory leaks
test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.00s
";
        let counts = Counts {
            passed: 15,
            failed: 2,
            reports: 1,
        };
        assert_eq!(Counts::of(said), counts);
        assert_eq!(Counts::of("error: could not compile"), Counts::default());
    }
}
