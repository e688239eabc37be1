//! The faults and schedules of the runs of a program.

use std::fmt;

use super::calls::{Calls, Counted};
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

/// The orders in which queued work runs, in a full run: values of `ASCENDCL_EMULATOR_SCHEDULE`.
pub(super) const SCHEDULES: [&str; 4] = ["eager", "lazy", "seeded:1", "seeded:2"];

/// How often the function fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// One call or task.
    Once,
    /// This call or task and all later ones of the same function.
    FromHere,
    /// This call and all later ones of all functions: the device is lost.
    Lost,
    /// The same, until the device is reset.
    LostUntilReset,
    /// The same, but only this number of calls.
    LostFor(u64),
    /// This task hangs.
    Hangs,
}

impl Extent {
    /// Whether more calls than one fail.
    pub(super) fn is_lasting(self) -> bool {
        !matches!(self, Extent::Once | Extent::Hangs)
    }

    /// Whether the device is lost, and calls of all functions fail.
    pub(super) fn is_loss(self) -> bool {
        self.is_lasting() && self != Extent::FromHere
    }
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

impl Fault {
    fn with(self, extent: Extent) -> Fault {
        Fault { extent, ..self }
    }

    fn of_task(mut self) -> Fault {
        self.is_task = true;
        self
    }
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
/// The code of a task that fails.
const TASK: i32 = 507015;
/// The code of a lost device.
const LOST: i32 = 507010;
/// The number of failing calls of a device that is lost and heals, fewer than the attempts of a wait for a proof.
const HEALS: u64 = 8;

/// Returns the runs of a program.
pub(super) fn plan(
    program: &Program,
    calls: &Calls,
    selection: Selection,
) -> Vec<(&'static str, Fault)> {
    if program.has_faults {
        return Vec::new();
    }
    let (mut single, mut repeated) = (Vec::new(), Vec::new());
    let mut add = |fault: Fault| {
        if fault.is_task || !ENDLESS.contains(&(fault.function.as_str(), fault.code)) {
            repeated.push(fault.clone().with(Extent::FromHere));
        }
        single.push(fault);
    };
    for (function, &Counted { times, has_code }) in &calls.calls {
        for nth in 1..=times {
            for code in codes(function) {
                let mut fault = fault(function, nth, code);
                fault.has_code = has_code;
                add(fault);
            }
        }
    }
    let tasks = calls.tasks.iter();
    let tasks = tasks.flat_map(|(function, times)| (1..=*times).map(move |nth| (function, nth)));
    for (function, nth) in tasks.clone() {
        add(fault(function, nth, TASK).of_task());
    }
    if program.has_limits {
        let hang = |(function, nth): (&String, u64)| {
            fault(function, nth, TIME_UP).of_task().with(Extent::Hangs)
        };
        single.extend(tasks.map(hang));
    }
    let losses: &[Extent] = match program.has_limits {
        false => &[Extent::Lost],
        true => &[Extent::Lost, Extent::LostUntilReset, Extent::LostFor(HEALS)],
    };
    for extent in losses {
        let each = 1..=calls.with_code();
        repeated.extend(each.map(|nth| fault("device-lost", nth, LOST).with(*extent)));
    }
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
    match function {
        _ if function.starts_with("aclnn") => vec![361001],
        _ if function.starts_with("aclrtMalloc") => vec![207001],
        "aclrtSynchronizeDevice" => vec![OTHER, TIME_UP, CAPTURED],
        "aclrtMemcpy" | "aclrtMemset" | "aclrtMemcpy2d" | "aclrtFreeWithDevSync" => {
            vec![OTHER, TIME_UP]
        }
        _ if function.starts_with("aclrtSynchronize") => vec![OTHER, TIME_UP],
        _ => vec![OTHER],
    }
}

/// A call that fails once with a code.
pub(super) fn fault(function: &str, nth: u64, code: i32) -> Fault {
    Fault {
        function: function.to_owned(),
        is_task: false,
        nth,
        extent: Extent::Once,
        code,
        has_code: true,
    }
}

/// The text of `ASCENDCL_EMULATOR_FAULTS`.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (function, nth, code) = (&self.function, self.nth, self.code);
        let task = if self.is_task { "task:" } else { "" };
        match self.extent {
            Extent::Once => write!(f, "{task}{function}#{nth}={code}"),
            Extent::FromHere => write!(f, "{task}{function}#{nth}+={code}"),
            Extent::Lost => write!(f, "{function}#{nth}"),
            Extent::LostUntilReset => write!(f, "{function}#{nth}~reset"),
            Extent::LostFor(calls) => write!(f, "{function}#{nth}~{calls}"),
            Extent::Hangs => write!(f, "hang:{function}#{nth}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Selection, plan};
    use crate::faults::calls::{Calls, Counted};
    use crate::faults::programs::Program;

    /// The schedules and faults of a program that has limits or has none, with so many calls of a function, and tasks of
    /// another one.
    fn planned(
        has_limits: bool,
        (name, times): (&str, u64),
        tasks: u64,
        selection: Selection,
    ) -> Vec<String> {
        let calls = [(name, times, true), ("aclrtGetSocName", 1, false)];
        let calls = Calls {
            calls: calls
                .map(|(name, times, has_code)| (name.to_owned(), Counted { times, has_code }))
                .into(),
            tasks: [("aclnnAdd".into(), tasks)].into(),
        };
        let program = Program {
            has_limits,
            ..Program::default()
        };
        let runs = plan(&program, &calls, selection).into_iter();
        runs.map(|(schedule, fault)| format!("{schedule} {fault}"))
            .collect()
    }

    #[test]
    fn each_call_and_task_fails_alone_and_with_all_later_ones() {
        let runs = planned(false, ("aclrtFree", 2), 1, Selection::All);
        let eager = runs.iter().filter_map(|run| run.strip_prefix("eager "));
        let eager: Vec<_> = eager.collect();
        let expected = "aclrtFree#1=507899 aclrtFree#2=507899 aclrtGetSocName#1=507899 task:aclnnAdd#1=507015 \
                        aclrtFree#1+=507899 aclrtFree#2+=507899 aclrtGetSocName#1+=507899 task:aclnnAdd#1+=507015 \
                        device-lost#1 device-lost#2";
        assert_eq!(eager.join(" "), expected);
        assert_eq!(runs.len(), 4 * eager.len());
        let part = planned(false, ("aclrtFree", 5), 0, Selection::Some).join(" ");
        assert!(
            (1..=5).all(|nth| part.contains(&format!("aclrtFree#{nth}=507899"))),
            "{part}"
        );
    }

    #[test]
    fn tasks_hang_and_devices_heal_where_waits_have_limits() {
        let [with, without] =
            [true, false].map(|has| planned(has, ("aclrtFree", 1), 2, Selection::All).join("\n"));
        for text in [
            "hang:aclnnAdd#1",
            "hang:aclnnAdd#2",
            "device-lost#1~reset",
            "device-lost#1~8",
        ] {
            assert_eq!(
                (with.matches(text).count(), without.matches(text).count()),
                (4, 0),
                "{text}"
            );
        }
    }

    #[test]
    fn a_wait_whose_time_is_always_up_is_left_out() {
        let wait = "aclrtSynchronizeStreamWithTimeout";
        let runs = planned(false, (wait, 1), 0, Selection::All).join("\n");
        for (end, is_there) in [
            ("#1=507046", true),
            ("#1+=507899", true),
            ("#1+=507046", false),
        ] {
            assert_eq!(runs.contains(&format!("{wait}{end}")), is_there, "{end}");
        }
    }
}
