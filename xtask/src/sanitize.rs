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
    // Some tests need the faults of the processor for themselves.
    ("address", "ASAN_OPTIONS", "detect_leaks=0:handle_segv=0"),
    ("leak", "LSAN_OPTIONS", "handle_segv=0"),
];

/// The tests: those of the typed API, and those of the emulator.
const TESTS: [&str; 2] = [
    "--package ascendcl --test it",
    "--package ascendcl-emulator --lib --tests",
];

/// A test that reads a frame of the program, which has another name without the optimizations of the usual build.
const FRAMES: &str = "device_memory_touched_by_the_host_is_told_before_the_program_ends";

/// Tests that leave memory behind on purpose, which the leak sanitizer does not run.
const LEAKING: [&str; 27] = [
    // A handle is forgotten.
    "a_failure_behind_a_time_limit_of_a_forgotten_context_is_reported_by_the_reset",
    "a_call_without_a_context_is_explained",
    "a_context_that_other_code_reset_cannot_be_bound",
    "a_forgotten_device_keeps_its_slot",
    "a_forgotten_model_is_left_to_the_reset",
    "a_forgotten_reader_only_leaks",
    "devices_without_slots_come_and_go_on_many_threads",
    "leaked_handles_live_without_a_lifetime",
    "the_work_of_a_forgotten_context_is_over_before_the_reset",
    "the_work_of_a_forgotten_context_is_waited_for",
    // The payload of a panic is forgotten, because its destructor could panic.
    "a_function_that_the_runtime_calls_is_refused",
    "a_panic_in_it_ends_there",
    "a_panic_poisons_its_stream_and_goes_no_further",
    "a_panic_under_a_name_is_told_before_it_moves",
    "panics_of_two_streams_are_told_one_after_the_other",
    // The argument of a refused function stays, because the runtime might call the function all the same.
    "a_refused_function_is_dropped_at_once",
    "calls_fail_at_once",
    "a_stream_has_callbacks_or_host_functions",
    // A library is not unloaded.
    "a_function_that_was_absent_earlier_hides_no_error",
    "a_library_that_does_not_load_is_named_with_the_reason",
    "a_library_that_is_not_cann_is_named",
    // The payload of a panic is forgotten in the emulator, too.
    "a_definition_that_panics_is_a_refusal",
    // An object that is a static in programs.
    "a_place_that_was_never_there_cannot_be_held",
    "a_stale_handle_is_told_from_garbage_and_from_its_successor",
    "every_index_has_a_slot_of_its_own",
    "what_is_held_gets_no_new_owner_before_it_is_let_go",
    "what_is_near_is_found_as_anything_else",
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
                "rustup run nightly cargo test --no-fail-fast --target {host} {tests} -- {}",
                skipped(sanitizer)
            ))
            .with_env(
                "RUSTFLAGS",
                &format!("-Zsanitizer={sanitizer} -Cforce-frame-pointers=yes"),
            )
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

/// The arguments that leave out the tests which a sanitizer does not run.
fn skipped(sanitizer: &str) -> String {
    let tests = LEAKING.iter().filter(|_| sanitizer == "leak");
    let tests = tests.copied().chain([FRAMES]);
    tests.map(|test| format!("--skip {test} ")).collect()
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
