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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    use super::{ABORTED, Left, Outcome, judge, left};
    use crate::faults::plan::{Extent, Fault, fault};
    use crate::faults::process::{Ended, Run};
    use crate::faults::programs::Program;

    const COUNTERS: &str =
        "watched: release_failures=0 leaks=0 device_blocks=0 violations=0 struck=1";

    /// A run of a program, in which a function fails.
    fn run<'p>(program: &'p Program, function: &str, extent: Extent) -> Run<'p> {
        let fault = Some(Fault {
            extent,
            ..fault(function, 1, 507899)
        });
        let (schedule, trace) = ("eager", None);
        Run {
            program,
            schedule,
            fault,
            trace,
        }
    }

    /// The judgement of a run with this status and these words.
    fn judged(run: &Run<'_>, code: i32, stderr: &str) -> Result<Outcome, String> {
        let (code, stderr) = (Some(code), stderr.to_owned());
        judge(
            run,
            Left::default(),
            &Ended {
                code,
                stderr,
                ..Ended::default()
            },
        )
    }

    /// The status, the change of the counters, and the outcome of a run whose call is named.
    const NAMED: &str = "\
1 | | Failed
0 | | Succeeded
66 | |
101 | |
0 | violations=0 -> violations=1 |
0 | blocks=0 -> blocks=1 |
1 | struck=1 -> struck=0 |
0 | watched: -> panicked at x |
1 | watched: -> x |
66 | watched: -> ascendcl-emulator: a result was used [failed-result] |
0 | violations -> contexts=1 violations |
1 | violations -> contexts=1 violations | Failed";

    #[test]
    fn each_rule_can_be_broken() {
        let program = Program::default();
        let run = run(&program, "aclrtFree", Extent::Once);
        for line in NAMED.lines() {
            let mut fields = line.split('|').map(str::trim);
            let [code, change, expected] = [(); 3].map(|()| fields.next().unwrap_or_default());
            let (from, to) = change.split_once(" -> ").unwrap_or_default();
            let counters = COUNTERS.replace(from, to);
            let said = format!("aclrtFree failed with 507899\n{counters}");
            let outcome = judged(&run, code.parse().unwrap_or_default(), &said);
            let outcome = outcome.map_or_else(|_| String::new(), |outcome| format!("{outcome:?}"));
            assert_eq!(outcome, expected, "{line}");
        }
        assert!(judged(&run, 1, COUNTERS).is_err(), "the call is not named");
        let unstruck = COUNTERS.replace("struck=1", "struck=0");
        assert_eq!(judged(&run, 0, &unstruck), Ok(Outcome::Unstruck));
        let hung = Ended {
            hung: true,
            ..Ended::default()
        };
        assert!(judge(&run, Left::default(), &hung).is_err());
    }

    #[test]
    fn only_a_repeated_failure_may_abort() {
        let named = format!("{ABORTED}: aclrtFree failed with 507899");
        let once = (Extent::Once, named.clone(), false);
        let silent = (Extent::FromHere, String::new(), false);
        for (extent, stderr, is_right) in [once, silent, (Extent::FromHere, named, true)] {
            let signal = Some(6);
            let aborted = Ended {
                signal,
                stderr,
                ..Ended::default()
            };
            let judged = judge(
                &run(&Program::default(), "aclrtFree", extent),
                Left::default(),
                &aborted,
            );
            assert_eq!(judged.is_ok(), is_right, "{judged:?}");
        }
    }

    #[test]
    fn only_some_failures_may_be_silent() {
        let usual = &Program::default();
        let limited = &Program {
            has_limits: true,
            ..Program::default()
        };
        let silent = run(usual, "aclrtGetRunMode", Extent::Once);
        assert_eq!(judged(&silent, 0, COUNTERS), Ok(Outcome::Succeeded));
        assert!(
            judged(&silent, 1, COUNTERS).is_err(),
            "the error has to name it"
        );
        let twice = COUNTERS.replace("struck=1", "struck=2");
        let lost = Extent::LostUntilReset;
        for (program, function, extent, counters, is_right) in [
            (limited, "aclrtResetDevice", Extent::Once, COUNTERS, true),
            (limited, "device-lost", lost, COUNTERS, true),
            (limited, "device-lost", lost, &twice, false),
            (limited, "device-lost", Extent::LostFor(8), COUNTERS, false),
            (limited, "aclrtFree", Extent::Once, COUNTERS, false),
            (usual, "aclrtResetDevice", Extent::Once, COUNTERS, false),
        ] {
            let judged = judged(&run(program, function, extent), 0, counters);
            assert_eq!(judged.is_ok(), is_right, "{function} {extent:?}");
        }
    }

    #[test]
    fn counters_are_read() {
        let line = "watched: release_failures=1 leaks=2 streams=3 events=4 contexts=8 violations=5 struck=6";
        let read = left(&format!("x\n{line}\n")).unwrap_or_default();
        let read = [
            read.counted,
            read.alive,
            read.contexts,
            read.violations,
            read.struck,
        ];
        assert_eq!(read, [3, 7, 8, 5, 6]);
        assert_eq!(left("x"), None);
    }

    #[test]
    fn a_failed_rank_is_known_by_the_wait_of_another_one() {
        let usual = Program::default();
        let of_ranks = Program {
            has_ranks: true,
            ..Program::default()
        };
        let alone = run(&usual, "aclrtFree", Extent::Once);
        let ranks = run(&of_ranks, "aclrtFree", Extent::Once);
        let waits = "aclrtSynchronizeStream failed with 507048 (ACL_ERROR_RT_FFTS_PLUS_TIMEOUT)";
        let finds = format!("{waits}\nascendcl-emulator: a rank did not come [rank-missing]");
        let more = format!("{finds}\nascendcl-emulator: x [double-free]");
        // A finding beside the end of the process is counted, but does not change the status.
        let late = COUNTERS.replace("violations=0", "violations=1");
        for (run, code, said, counters, is_right) in [
            (&alone, 1, waits, COUNTERS, false),
            (&alone, 66, &finds, COUNTERS, false),
            (&ranks, 1, waits, COUNTERS, true),
            (&ranks, 66, &finds, COUNTERS, true),
            (&ranks, 1, "a call failed", COUNTERS, false),
            (&ranks, 66, &more, COUNTERS, false),
            (&ranks, 1, &finds, &late, true),
            (&ranks, 1, waits, &late, false),
            (&ranks, 1, &more, &late, false),
        ] {
            let judged = judged(run, code, &format!("error: {said}\n{counters}"));
            assert_eq!(judged.is_ok(), is_right, "{said}");
            let nameless = judged.is_err_and(|what| what == "it does not name aclrtFree#1=507899");
            assert!(!nameless || code == 1, "{said}");
        }
    }
}
