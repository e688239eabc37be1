//! The faults and schedules of the runs of a program.

use std::fmt;

use super::calls::Calls;
use super::programs::Program;

/// The runs to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Selection {
    /// Each fault on each schedule.
    All,
    /// A fixed part that is the same each time: every call alone on one schedule, the schedules by turns, and every
    /// third repeated failure.
    Some,
}

/// The order in which queued work runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Schedule {
    Eager,
    Lazy,
    Seeded(u64),
}

/// The schedules of a full run.
const SCHEDULES: [Schedule; 4] = [
    Schedule::Eager,
    Schedule::Lazy,
    Schedule::Seeded(1),
    Schedule::Seeded(2),
];

/// How often the function fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// One call or task.
    Once,
    /// This call or task and all later ones of the same function.
    FromHere,
    /// This call and all later ones of all functions: the device is lost.
    Lost,
}

/// A fault of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    /// The C function.
    pub(super) function: String,
    /// Whether the tasks of the function fail, and not its calls.
    pub(super) is_task: bool,
    pub(super) nth: u64,
    pub(super) extent: Extent,
    pub(super) code: i32,
    /// Whether the function returns a status code.
    pub(super) has_code: bool,
}

/// The code of a blocking call whose time was up: its work may still run.
const TIME_UP: i32 = 507046;
/// The code of a wait that is refused because other code captures a stream: no failure, and no proof.
pub(super) const CAPTURED: i32 = 107027;
/// Calls that must not fail for ever, because a wait does not return then, as in C, or not for ten minutes: the call that
/// runs the callbacks of a stream, a wait whose time is always up, and one that an endless capture refuses. Each fails once,
/// and the first also together with all other calls.
const ENDLESS: [(&str, i32); 3] = [
    ("aclrtProcessReport", OTHER),
    ("aclrtSynchronizeStreamWithTimeout", TIME_UP),
    ("aclrtSynchronizeDevice", CAPTURED),
];
/// The code of a driver that fails.
const OTHER: i32 = 507899;
/// The code of a lost device.
const LOST: i32 = 507010;

/// Returns the runs of a program.
pub(super) fn plan(
    program: &Program,
    calls: &Calls,
    selection: Selection,
) -> Vec<(Schedule, Fault)> {
    if program.without_faults.is_some() {
        return Vec::new();
    }
    let mut single = Vec::new();
    let mut repeated = Vec::new();
    for (function, counted) in &calls.calls {
        for nth in 1..=counted.times {
            for code in codes(function) {
                let fault = Fault {
                    function: function.clone(),
                    is_task: false,
                    nth,
                    extent: Extent::Once,
                    code,
                    has_code: counted.has_code,
                };
                if !ENDLESS.contains(&(function.as_str(), code)) {
                    repeated.push(fault.with(Extent::FromHere));
                }
                single.push(fault);
            }
        }
    }
    for (function, times) in &calls.tasks {
        for nth in 1..=*times {
            let fault = Fault {
                function: function.clone(),
                is_task: true,
                nth,
                extent: Extent::Once,
                code: 507015,
                has_code: true,
            };
            repeated.push(fault.with(Extent::FromHere));
            single.push(fault);
        }
    }
    repeated.extend((1..=calls.with_code()).map(lost));
    match selection {
        Selection::All => {
            let faults = single.iter().chain(&repeated);
            let on_each = |fault: &Fault| SCHEDULES.map(|schedule| (schedule, fault.clone()));
            faults.flat_map(on_each).collect()
        }
        Selection::Some => {
            let repeated = repeated.into_iter().step_by(3);
            let schedules = SCHEDULES.iter().copied().cycle();
            schedules.zip(single.into_iter().chain(repeated)).collect()
        }
    }
}

/// The codes with which a function fails: one of a driver or an operator library, for calls that wait also the code of a
/// time limit, and for a wait for the device that of a capture.
fn codes(function: &str) -> Vec<i32> {
    let waits = function.starts_with("aclrtSynchronize")
        || [
            "aclrtMemcpy",
            "aclrtMemset",
            "aclrtMemcpy2d",
            "aclrtFreeWithDevSync",
        ]
        .contains(&function);
    if function.starts_with("aclnn") {
        vec![361001]
    } else if function.starts_with("aclrtMalloc") {
        vec![207001]
    } else if function == "aclrtSynchronizeDevice" {
        vec![OTHER, TIME_UP, CAPTURED]
    } else if waits {
        vec![OTHER, TIME_UP]
    } else {
        vec![OTHER]
    }
}

/// The fault of a device that is lost at the `nth` call.
fn lost(nth: u64) -> Fault {
    Fault {
        function: "device-lost".into(),
        is_task: false,
        nth,
        extent: Extent::Lost,
        code: LOST,
        has_code: true,
    }
}

impl Fault {
    fn with(&self, extent: Extent) -> Fault {
        Fault {
            extent,
            ..self.clone()
        }
    }
}

/// The text of `ASCENDCL_EMULATOR_FAULTS`.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault {
            function,
            nth,
            code,
            ..
        } = self;
        let task = if self.is_task { "task:" } else { "" };
        match self.extent {
            Extent::Once => write!(f, "{task}{function}#{nth}={code}"),
            Extent::FromHere => write!(f, "{task}{function}#{nth}+={code}"),
            Extent::Lost => write!(f, "{function}#{nth}"),
        }
    }
}

/// The value of `ASCENDCL_EMULATOR_SCHEDULE`.
impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Schedule::Eager => f.write_str("eager"),
            Schedule::Lazy => f.write_str("lazy"),
            Schedule::Seeded(seed) => write!(f, "seeded:{seed}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Schedule, Selection, plan};
    use crate::faults::calls::{Calls, Counted};
    use crate::faults::programs::PROGRAMS;

    /// The texts of the faults of a program with these calls.
    fn planned(
        calls: &[(&str, u64)],
        tasks: &[(&str, u64)],
        selection: Selection,
    ) -> Vec<(Schedule, String)> {
        let mut counted = Calls::default();
        for (name, times) in calls {
            let has_code = *name != "aclrtGetSocName";
            let times = Counted {
                times: *times,
                has_code,
            };
            counted.calls.insert((*name).to_owned(), times);
        }
        for (name, times) in tasks {
            counted.tasks.insert((*name).to_owned(), *times);
        }
        let reached = PROGRAMS
            .iter()
            .find(|program| program.without_faults.is_none());
        let runs = reached
            .map(|program| plan(program, &counted, selection))
            .unwrap_or_default();
        runs.into_iter()
            .map(|(schedule, fault)| (schedule, fault.to_string()))
            .collect()
    }

    #[test]
    fn each_call_and_task_fails_alone_and_with_all_later_ones() {
        let runs = planned(
            &[("aclrtFree", 2), ("aclrtGetSocName", 1)],
            &[("aclnnAdd", 1)],
            Selection::All,
        );
        let eager: Vec<_> = runs
            .iter()
            .filter(|(schedule, _)| *schedule == Schedule::Eager)
            .map(|(_, fault)| fault.as_str())
            .collect();
        assert_eq!(
            eager,
            [
                "aclrtFree#1=507899",
                "aclrtFree#2=507899",
                "aclrtGetSocName#1=507899",
                "task:aclnnAdd#1=507015",
                "aclrtFree#1+=507899",
                "aclrtFree#2+=507899",
                "aclrtGetSocName#1+=507899",
                "task:aclnnAdd#1+=507015",
                "device-lost#1",
                "device-lost#2",
            ]
        );
        assert_eq!(runs.len(), 4 * eager.len());
    }

    #[test]
    fn a_wait_whose_time_is_always_up_is_left_out() {
        let runs = planned(
            &[("aclrtSynchronizeStreamWithTimeout", 1)],
            &[],
            Selection::All,
        );
        let has = |text: &str| runs.iter().any(|(_, fault)| fault == text);
        assert!(has("aclrtSynchronizeStreamWithTimeout#1=507046"));
        assert!(has("aclrtSynchronizeStreamWithTimeout#1+=507899"));
        assert!(!has("aclrtSynchronizeStreamWithTimeout#1+=507046"));
    }

    #[test]
    fn the_part_has_each_single_failure() {
        let runs = planned(&[("aclrtFree", 5)], &[], Selection::Some);
        assert_eq!(
            runs.iter()
                .filter(|(_, fault)| !fault.contains('+'))
                .count(),
            7,
            "{runs:?}"
        );
        for nth in 1..=5 {
            let text = format!("aclrtFree#{nth}=507899");
            assert!(runs.iter().any(|(_, fault)| *fault == text), "{text}");
        }
    }
}
