//! The rules for a run with a fault.
//!
//! A run ends with success or with status 1, also if a task hangs and the waits have limits. It names the failed call and
//! its code: in the error of the program, or in the report of a failed release. It ends by an abort only if a call fails
//! again and again, and prints the documented sentence then. No finding, no violation, no panic, no signal, no hang. Each
//! allocation, stream and event that remains is counted. A device or context that remains is counted, or its owner got the
//! error of the release.

use super::plan::{CAPTURED, Extent, Fault};
use super::process::{Ended, Run};

/// The end of a run that kept to the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Outcome {
    /// The fault did not strike: the program made fewer calls than without it, or no thread came to the call.
    Unstruck,
    /// The program went on and succeeded.
    Succeeded,
    /// The program ended with its error.
    Failed,
    /// The library ended the process, because memory that was borrowed may still be in use.
    Aborted,
}

/// What a run left behind, from the line of `ascendcl-watched`.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Left {
    /// Failed releases and leaks, as the library counts them.
    counted: u64,
    /// Allocations, streams and events that the emulator still has.
    alive: u64,
    /// Contexts that the emulator still has, those of devices included.
    contexts: u64,
    /// Uses of memory or objects that crash on a card.
    violations: u64,
    /// Calls and tasks that failed because of the fault.
    struck: u64,
}

/// The sentence of the documented abort.
const ABORTED: &str =
    "ascendcl: the process is aborted, because a device may still use memory that was borrowed";

/// The signal of `abort`.
const SIGABRT: i32 = 6;

/// Reads the line of `ascendcl-watched`.
pub(super) fn left(stderr: &str) -> Option<Left> {
    let mut lines = stderr.lines();
    let line = lines.find(|line| line.starts_with("watched: release_failures="))?;
    let mut left = Left::default();
    for (name, value) in line.split(' ').filter_map(|word| word.split_once('=')) {
        let value: u64 = value.parse().ok()?;
        match name {
            "release_failures" | "leaks" => left.counted += value,
            "contexts" => left.contexts = value,
            "violations" => left.violations = value,
            "struck" => left.struck = value,
            _ => left.alive += value,
        }
    }
    Some(left)
}

/// Judges a run. `clean` is what the program leaves behind without a fault.
pub(super) fn judge(run: &Run<'_>, clean: Left, ended: &Ended) -> Result<Outcome, String> {
    let Some(fault) = &run.fault else {
        return Err("a run without a fault is not judged".to_owned());
    };
    if ended.hung {
        return Err("it hangs".to_owned());
    }
    let said = format!("{}\n{}", ended.stdout, ended.stderr);
    if said.contains("panicked at") {
        return Err("it panics".to_owned());
    }
    if ended.signal == Some(SIGABRT) && ended.stderr.contains(ABORTED) {
        if !fault.extent.is_lasting() {
            return Err("one failed call aborts it".to_owned());
        }
        return names(run, Outcome::Aborted, &said).map(|()| Outcome::Aborted);
    }
    if let Some(signal) = ended.signal {
        return Err(format!("signal {signal} ends it"));
    }
    let outcome = match ended.code {
        Some(0) => Outcome::Succeeded,
        Some(1) => Outcome::Failed,
        Some(66) if allowed_findings(run, ended).is_some() => Outcome::Failed,
        Some(66) => return Err("the checker has a finding".to_owned()),
        code => return Err(format!("its status is {code:?}")),
    };
    // The checker ends a process with findings before the counters are printed.
    let left = match left(&ended.stderr) {
        None if ended.code == Some(66) => return names(run, outcome, &said).map(|()| outcome),
        left => left.ok_or("its counters are missing")?,
    };
    // A rank that found out late reports beside the end of the process.
    if left.violations > allowed_findings(run, ended).unwrap_or(0) {
        return Err("the emulator has recorded a violation".to_owned());
    }
    if left.struck == 0 {
        return match outcome {
            Outcome::Succeeded => Ok(Outcome::Unstruck),
            _ => Err("it fails although no call has failed".to_owned()),
        };
    }
    if outcome != Outcome::Succeeded || !is_repeated_reset(run, fault, left.struck) {
        names(run, outcome, &said)?;
    }
    let more = left.alive.saturating_sub(clean.alive + run.program.forgets);
    let counted = left.counted + u64::from(outcome == Outcome::Failed && releases(fault));
    if more > counted && !run.program.may_leave && !run.program.has_ranks {
        return Err(format!("{more} objects remain, and {counted} are counted"));
    }
    if left.contexts > clean.contexts && left.counted == 0 && outcome == Outcome::Succeeded {
        return Err("a device or context remains, and nobody is told".to_owned());
    }
    Ok(outcome)
}

/// Calls whose failure a program does not see if it succeeds all the same, with the reason.
const SILENT: &str = "\
aclmdlRICaptureEnd: the closure of a capture has failed before, and its error is returned
aclrtGetCurrentContext: without an answer another thread destroys the communicator
aclrtGetDeviceCount: asked for the hint of another error
aclrtGetRunMode: asked again where the answer is needed
aclrtSetCurrentContext: repeated before a wait on a thread of the library
aclrtSynchronizeStreamWithTimeout: a slice of a wait, with the code of its time limit";

/// Whether the only failed call is the reset at the end of a device with a limit. The library repeats it, and tells nobody if
/// the second one succeeds.
fn is_repeated_reset(run: &Run<'_>, fault: &Fault, struck: u64) -> bool {
    let fails = fault.function == "aclrtResetDevice" || fault.extent == Extent::LostUntilReset;
    run.program.has_limits && fails && struck == 1
}

/// The code of a wait for an operation that another rank has not finished.
const OTHER_RANK: &str = "507048 (ACL_ERROR_RT_FFTS_PLUS_TIMEOUT)";

/// Fails unless the output has the name of the failed function and its code. The failure of a task is returned by a
/// wait, which is named with the code of the task, or of its limit if the task hangs. A lost device has its code.
fn names(run: &Run<'_>, outcome: Outcome, said: &str) -> Result<(), String> {
    let Some(fault) = &run.fault else {
        return Ok(());
    };
    let mut may_be_silent = SILENT.lines().filter_map(|line| line.split(':').next());
    let may_be_silent = may_be_silent.any(|function| fault.function == function);
    // Nobody is told of a refusal behind which a wait succeeds.
    let is_refusal = fault.code == CAPTURED;
    if !fault.has_code || ((may_be_silent || is_refusal) && outcome == Outcome::Succeeded) {
        return Ok(());
    }
    let code = fault.code.to_string();
    let is_named = fault.is_task || fault.extent.is_loss() || said.contains(&fault.function);
    if is_named && said.contains(&code) {
        return Ok(());
    }
    // The program ends with the first rank that has an error, and this may be one that waits for the failed one.
    if run.program.has_ranks && said.contains(OTHER_RANK) {
        return Ok(());
    }
    Err(format!("it does not name {fault}"))
}

/// The end of the finding that a failed rank causes.
const LEFT_ALONE: &str = "[rank-missing]";

/// Counts the findings of the checker, if all of them are of the kind that the failure may cause.
fn allowed_findings(run: &Run<'_>, ended: &Ended) -> Option<u64> {
    if !run.program.has_ranks {
        return None;
    }
    let is_finding = |line: &&str| line.starts_with("ascendcl-emulator: ") && line.ends_with(']');
    let mut findings = ended.stderr.lines().filter(is_finding);
    findings.try_fold(0, |count, line| {
        line.ends_with(LEFT_ALONE).then_some(count + 1)
    })
}

/// Whether the failed function is a release that the program makes itself, so that its error reports the object.
fn releases(fault: &Fault) -> bool {
    let words = ["Free", "Destroy", "Reset", "Finalize"];
    words.iter().any(|word| fault.function.contains(word))
}

#[cfg(test)]
mod tests {
    use super::{ABORTED, Left, judge, left};
    use crate::faults::plan::{Extent, Fault, fault};
    use crate::faults::process::{Ended, Run};
    use crate::faults::programs::Program;

    /// What a run prints: the counters behind it, the error with the call, the documented abort, the wait of another rank, and
    /// findings.
    const WORDS: [(&str, &str); 6] = [
        (
            "COUNTERS",
            "watched: release_failures=0 leaks=0 device_blocks=0 contexts=0 violations=0 struck=1",
        ),
        ("NAMED", "aclrtFree failed with 507899"),
        ("ABORTED", ABORTED),
        (
            "WAITS",
            "aclrtSynchronizeStream failed with 507048 (ACL_ERROR_RT_FFTS_PLUS_TIMEOUT)",
        ),
        (
            "ALONE",
            "ascendcl-emulator: a rank did not come [rank-missing]",
        ),
        ("FINDING", "ascendcl-emulator: x [double-free]"),
    ];

    /// The program, the function that fails, how often, the status or signal, its lines, and the outcome or what is wrong.
    const RUNS: &str = "\
usual | aclrtFree | Once | 1 | NAMED; COUNTERS | Failed
usual | aclrtFree | Once | 0 | NAMED; COUNTERS | Succeeded
usual | aclrtFree | Once | 0 | COUNTERS struck=0 | Unstruck
usual | aclrtFree | Once | 1 | NAMED; COUNTERS struck=0 | it fails although no call has failed
usual | aclrtFree | Once | 66 | NAMED; COUNTERS | the checker has a finding
usual | aclrtFree | Once | 66 | NAMED; FINDING | the checker has a finding
usual | aclrtFree | Once | 101 | NAMED; COUNTERS | its status is Some(101)
usual | aclrtFree | Once | 1 | NAMED | its counters are missing
usual | aclrtFree | Once | 1 | COUNTERS | it does not name aclrtFree#1=507899
usual | aclrtFree | Once | 0 | panicked at x; NAMED; COUNTERS | it panics
usual | aclrtFree | Once | 0 | NAMED; COUNTERS violations=1 | the emulator has recorded a violation
usual | aclrtFree | Once | 0 | NAMED; COUNTERS device_blocks=1 | 1 objects remain, and 0 are counted
usual | aclrtFree | Once | 0 | NAMED; COUNTERS contexts=1 | a device or context remains, and nobody is told
usual | aclrtFree | Once | 1 | NAMED; COUNTERS contexts=1 | Failed
usual | aclrtFree | Once | hung | NAMED; COUNTERS | it hangs
usual | aclrtFree | Once | signal 11 | NAMED | signal 11 ends it
usual | aclrtFree | Once | signal 6 | ABORTED; NAMED | one failed call aborts it
usual | aclrtFree | FromHere | signal 6 | ABORTED | it does not name aclrtFree#1+=507899
usual | aclrtFree | FromHere | signal 6 | ABORTED; NAMED | Aborted
usual | aclrtGetRunMode | Once | 0 | COUNTERS | Succeeded
usual | aclrtGetRunMode | Once | 1 | COUNTERS | it does not name aclrtGetRunMode#1=507899
usual | aclrtResetDevice | Once | 0 | COUNTERS | it does not name aclrtResetDevice#1=507899
limited | aclrtResetDevice | Once | 0 | COUNTERS | Succeeded
limited | aclrtFree | Once | 0 | COUNTERS | it does not name aclrtFree#1=507899
limited | device-lost | LostUntilReset | 0 | COUNTERS | Succeeded
limited | device-lost | LostUntilReset | 0 | COUNTERS struck=2 | it does not name device-lost#1~reset
limited | device-lost | LostFor(8) | 0 | COUNTERS | it does not name device-lost#1~8
usual | aclrtFree | Once | 1 | WAITS; COUNTERS | it does not name aclrtFree#1=507899
usual | aclrtFree | Once | 66 | WAITS; ALONE; COUNTERS | the checker has a finding
ranks | aclrtFree | Once | 1 | WAITS; COUNTERS | Failed
ranks | aclrtFree | Once | 1 | another word; COUNTERS | it does not name aclrtFree#1=507899
ranks | aclrtFree | Once | 66 | WAITS; ALONE; COUNTERS | Failed
ranks | aclrtFree | Once | 66 | WAITS; ALONE; FINDING; COUNTERS | the checker has a finding
ranks | aclrtFree | Once | 1 | WAITS; ALONE; COUNTERS violations=1 | Failed
ranks | aclrtFree | Once | 1 | WAITS; COUNTERS violations=1 | the emulator has recorded a violation
ranks | aclrtFree | Once | 1 | WAITS; ALONE; FINDING; COUNTERS violations=1 | the emulator has recorded a violation";

    #[test]
    fn each_rule_can_be_broken() {
        for line in RUNS.lines() {
            let mut fields = line.split(" | ");
            let mut next = || fields.next().unwrap_or_default();
            let kind = next();
            let program = Program {
                has_limits: kind == "limited",
                has_ranks: kind == "ranks",
                ..Program::default()
            };
            let (function, extent) = (next(), next());
            let mut extents = [
                Extent::Once,
                Extent::FromHere,
                Extent::LostUntilReset,
                Extent::LostFor(8),
            ]
            .into_iter();
            let extent = extents
                .find(|of| format!("{of:?}") == extent)
                .unwrap_or(Extent::Hangs);
            let run = Run {
                program: &program,
                schedule: "eager",
                fault: Some(Fault {
                    extent,
                    ..fault(function, 1, 507899)
                }),
                trace: None,
            };
            let (status, words) = (next(), next());
            let stderr = WORDS
                .iter()
                .fold(words.replace("; ", "\n"), |text, (word, stands_for)| {
                    text.replace(word, stands_for)
                });
            let ended = Ended {
                code: status.parse().ok(),
                signal: status
                    .strip_prefix("signal ")
                    .and_then(|signal| signal.parse().ok()),
                hung: status == "hung",
                stderr,
                ..Ended::default()
            };
            let judged = judge(&run, Left::default(), &ended);
            assert_eq!(
                judged.map_or_else(|what| what, |outcome| format!("{outcome:?}")),
                next(),
                "{line}"
            );
        }
    }

    #[test]
    fn counters_are_read() {
        let line = "watched: release_failures=1 leaks=2 streams=3 events=4 contexts=8 violations=5 struck=6";
        let expected = Left {
            counted: 3,
            alive: 7,
            contexts: 8,
            violations: 5,
            struck: 6,
        };
        assert_eq!(left(&format!("x\n{line}\n")), Some(expected));
        assert_eq!(left("x"), None);
    }
}
