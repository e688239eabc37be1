//! The timeline of a process: its format, and its entries for two streams and an event.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::collections::HashMap;
use std::process::Command;
use std::ptr;

use ascendcl_emulator::api;
use ascendcl_sys::*;
use tinyjson::JsonValue;

/// The variable that makes a process a child.
const CHILD: &str = "ASCENDCL_TEST_PROGRAM";

/// Calls a function that must succeed.
macro_rules! call {
    ($api:ident.$area:ident.$name:ident($($arg:expr),*)) => {{
        let function = $api.$area.$name;
        // SAFETY: the test passes valid pointers and handles.
        let code = unsafe { function($($arg),*) };
        assert_eq!(code, 0, stringify!($name));
    }};
}

/// Runs two streams that an event orders, and one that a flag orders.
#[test]
fn the_program() {
    if std::env::var_os(CHILD).is_none() {
        let missing = |name: &&str| *name == "aclrtMemsetAsync";
        assert!(
            !api().memory.missing().any(|name| missing(&name)),
            "it is there to be called"
        );
        return;
    }
    let api = api();
    let size = 1 << 16;
    let (mut one, mut two, mut memory) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
    let (mut event, mut flag) = (ptr::null_mut(), ptr::null_mut());
    call!(api.device.aclrtSetDevice(1));
    call!(api.stream.aclrtCreateStream(&mut one));
    call!(api.stream.aclrtCreateStream(&mut two));
    call!(
        api.memory
            .aclrtMalloc(&mut memory, size, ACL_MEM_MALLOC_HUGE_FIRST)
    );
    call!(api.event.aclrtCreateEvent(&mut event));
    call!(
        api.event
            .aclrtCreateEventWithFlag(&mut flag, ACL_EVENT_SYNC)
    );
    call!(api.event.aclrtStreamWaitEvent(one, flag));
    call!(api.memory.aclrtMemsetAsync(memory, size, 1, size, one));
    call!(api.event.aclrtRecordEvent(event, one));
    call!(api.event.aclrtStreamWaitEvent(two, event));
    call!(api.memory.aclrtMemsetAsync(memory, size, 2, size, two));
    call!(api.event.aclrtRecordEvent(flag, ptr::null_mut()));
    call!(api.device.aclrtSynchronizeDevice());
    call!(api.memory.aclrtFree(memory));
    call!(api.device.aclrtResetDevice(1));
}

/// Runs the program with a trace in this file.
fn run(file: &str) -> std::process::Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "the_program", "--nocapture", "--test-threads=1"]);
    command
        .env(CHILD, "1")
        .env("ASCENDCL_EMULATOR_TRACE", file)
        .output()
        .unwrap()
}

fn word(event: &JsonValue, field: &str) -> String {
    event[field].get::<String>().cloned().unwrap()
}

fn number(event: &JsonValue, field: &str) -> f64 {
    *event[field].get::<f64>().unwrap()
}

#[test]
fn the_timeline_has_calls_tasks_and_arrows() {
    let file = format!("ascendcl-trace-{}.json", std::process::id());
    let file = std::env::temp_dir().join(file);
    let output = run(file.to_str().unwrap());
    assert!(output.status.success(), "{output:?}");
    let trace: JsonValue = std::fs::read_to_string(&file).unwrap().parse().unwrap();
    std::fs::remove_file(&file).unwrap();
    let events: &Vec<JsonValue> = trace["traceEvents"].get().unwrap();
    let of = |phase: &'static str| {
        events
            .iter()
            .filter(move |event| word(event, "ph") == phase)
    };

    let names: Vec<String> = of("M")
        .map(|event| event["args"]["name"].get().cloned().unwrap())
        .collect();
    for name in ["host", "thread the_program", "device 1"] {
        assert!(
            names.contains(&name.to_owned()),
            "{name} is missing: {names:?}"
        );
    }
    assert_eq!(
        names
            .iter()
            .filter(|name| name.starts_with("default stream"))
            .count(),
        1
    );
    assert_eq!(
        names
            .iter()
            .filter(|name| name.starts_with("stream"))
            .count(),
        2
    );

    let calls: Vec<String> = of("X")
        .filter(|e| number(e, "pid") == 0.0)
        .map(|e| word(e, "name"))
        .collect();
    assert_eq!(calls.first().map(String::as_str), Some("aclrtSetDevice"));
    assert_eq!(
        calls
            .iter()
            .filter(|call| *call == "aclrtMemsetAsync")
            .count(),
        2
    );

    // Device 1 is process 2. On a stream the tasks come one after the other.
    let mut streams: HashMap<u64, Vec<(f64, f64, String)>> = HashMap::new();
    for task in of("X").filter(|event| number(event, "pid") == 2.0) {
        let (start, length) = (number(task, "ts"), number(task, "dur"));
        assert!(length > 0.0 && task["args"]["failed"].get() == Some(&false));
        let lane = streams.entry(number(task, "tid") as u64).or_default();
        lane.push((start, start + length, word(task, "name")));
    }
    let mut lanes: Vec<Vec<String>> = Vec::new();
    for mut tasks in streams.into_values() {
        tasks.sort_by(|one, other| one.0.total_cmp(&other.0));
        assert!(
            tasks.windows(2).all(|pair| pair[0].1 <= pair[1].0 + 0.002),
            "{tasks:?}"
        );
        lanes.push(tasks.into_iter().map(|(_, _, name)| name).collect());
    }
    lanes.sort();
    let (fill, record, wait) = (
        "aclrtMemsetAsync",
        "aclrtRecordEvent",
        "aclrtStreamWaitEvent",
    );
    assert_eq!(
        lanes,
        [vec![record], vec![wait, fill], vec![wait, fill, record]]
    );

    let arrows = |phase| of(phase).map(|event| (number(event, "id") as u64, number(event, "ts")));
    let (starts, ends): (HashMap<_, _>, HashMap<_, _>) =
        (arrows("s").collect(), arrows("f").collect());
    assert_eq!((starts.len(), ends.len()), (2, 2));
    for (id, start) in starts {
        assert!(start <= ends[&id], "an arrow points backwards in time");
    }
}

#[test]
fn a_file_that_cannot_be_written_is_one_line_and_an_exit_status() {
    let output = run("/nowhere/at/all.json");
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        text.starts_with("ascendcl-emulator: the trace /nowhere/at/all.json"),
        "{text}"
    );
    assert_eq!(text.lines().count(), 1, "{text}");
}
