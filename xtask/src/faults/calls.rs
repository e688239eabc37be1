//! The calls and tasks of a program, from the timeline of a run without a fault.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::error::{Context as _, Error};

/// The number of calls of each C function, and of the tasks that each function queued.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Calls {
    /// The functions, with whether they return a code.
    pub(super) calls: BTreeMap<String, Counted>,
    /// The tasks that can be made to fail.
    pub(super) tasks: BTreeMap<String, u64>,
}

/// The calls of a function.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Counted {
    pub(super) times: u64,
    /// Whether the function returns a status code.
    pub(super) has_code: bool,
}

/// A timeline in the format of trace viewers.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Timeline {
    trace_events: Vec<Event>,
}

#[derive(Deserialize)]
struct Event {
    /// `X` for what has a duration.
    ph: String,
    /// 0 for the host. Each other process is a device.
    pid: u64,
    name: String,
    #[serde(default)]
    args: Arguments,
}

#[derive(Default, Deserialize)]
struct Arguments {
    code: Option<i64>,
}

impl Calls {
    pub(super) fn of_trace(text: &str) -> Result<Calls, Error> {
        let timeline: Timeline = serde_json::from_str(text).on("the timeline")?;
        let mut calls = Calls::default();
        for Event {
            pid, name, args, ..
        } in timeline
            .trace_events
            .into_iter()
            .filter(|event| event.ph == "X")
        {
            if pid == 0 {
                let counted = calls.calls.entry(name).or_default();
                counted.times += 1;
                counted.has_code |= args.code.is_some();
            } else if can_fail(&name) {
                *calls.tasks.entry(name).or_default() += 1;
            }
        }
        Ok(calls)
    }

    /// The number of all calls that return a code.
    pub(super) fn with_code(&self) -> u64 {
        let with_code = self.calls.values().filter(|counted| counted.has_code);
        with_code.map(|counted| counted.times).sum()
    }

    /// The number of all calls, and of all tasks.
    pub(super) fn count(&self) -> (u64, u64) {
        let calls = self.calls.values().map(|counted| counted.times).sum();
        (calls, self.tasks.values().sum())
    }
}

/// Whether the emulator can make the tasks of a function fail: those that a card runs.
fn can_fail(name: &str) -> bool {
    let starts = ["aclnn", "Hccl", "aclrtLaunchKernel"];
    starts.iter().any(|start| name.starts_with(start)) || name.ends_with("Async")
}

#[cfg(test)]
mod tests {
    use super::Calls;

    #[test]
    fn calls_and_tasks_are_counted() {
        let text = r#"{"traceEvents":[
            {"ph":"M","name":"process_name","pid":0},
            {"ph":"X","name":"aclrtFree","pid":0,"args":{"code":0}},
            {"ph":"X","name":"aclrtFree","pid":0,"args":{"code":0}},
            {"ph":"X","name":"aclrtGetSocName","pid":0,"args":{}},
            {"ph":"X","name":"aclrtMemsetAsync","pid":1,"args":{}},
            {"ph":"X","name":"HcclAllReduce","pid":0,"args":{"code":0}},
            {"ph":"X","name":"HcclAllReduce","pid":1,"args":{}},
            {"ph":"X","name":"aclrtRecordEvent","pid":1,"args":{}}
        ]}"#;
        let calls = Calls::of_trace(text).unwrap_or_default();
        let of_free = calls.calls.get("aclrtFree");
        let of_free = of_free.map(|of| (of.times, of.has_code));
        assert_eq!(of_free, Some((2, true)));
        let tasks: Vec<_> = calls.tasks.keys().collect();
        assert_eq!(tasks, ["HcclAllReduce", "aclrtMemsetAsync"]);
        assert_eq!((calls.count(), calls.with_code()), ((4, 2), 3));
        assert!(Calls::of_trace("{}").is_err() && Calls::of_trace("").is_err());
    }
}
