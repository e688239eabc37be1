//! The reports of a checked process: text on standard error, an exit status, a file.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]
#![expect(clippy::print_stderr, reason = "the parent looks at what a child says")]

#[macro_use]
mod common;

use std::ffi::c_void;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::Output;
use std::ptr;

use ascendcl_emulator::EXIT_STATUS;
use ascendcl_sys::{
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_MEM_MALLOC_HUGE_FIRST, ACL_MEMCPY_DEVICE_TO_HOST, Api,
};
use common::programs::*;
use tinyjson::JsonValue;

/// The signal that ends a process after it dereferenced an invalid pointer.
const SIGSEGV: i32 = 11;

/// Runs the program of a child process.
#[test]
fn the_programs() {
    run_own(&PROGRAMS);
}

const PROGRAMS: [(&str, Program); 15] = [
    ("leaves memory to the reset", |api| {
        let _ = program(api, false, false);
        let mut stream = ptr::null_mut();
        // SAFETY: valid for a write.
        assert_eq!(unsafe { (api.stream.aclrtCreateStream)(&mut stream) }, 0);
        // SAFETY: takes a number.
        assert_eq!(unsafe { (api.device.aclrtResetDevice)(0) }, 0);
    }),
    ("calls what is not modelled", calls_what_is_not_modelled),
    ("ends at once", |api| {
        frees_twice(api);
        // SAFETY: no preconditions.
        unsafe { libc::_exit(0) };
    }),
    ("ends quickly", |api| {
        frees_twice(api);
        // SAFETY: no function of the program is registered for `quick_exit`.
        unsafe { quick_exit(0) };
    }),
    ("aborts", |api| {
        frees_twice(api);
        std::process::abort();
    }),
    ("forks", forks),
    ("runs out", runs_out),
    ("uses a failed result", uses_a_failed_result),
    ("reads device memory", |api| {
        let memory = program(api, false, false);
        let fourth = memory.cast::<u8>().wrapping_add(3);
        // SAFETY: none: this is the mistake. It ends the process.
        assert_eq!(unsafe { fourth.read_volatile() }, 0);
    }),
    ("follows a wild pointer", |api| {
        let _ = program(api, true, true);
        let wild = ptr::without_provenance::<u8>(8);
        // SAFETY: none: this is the mistake. It ends the process.
        assert_eq!(unsafe { wild.read_volatile() }, 0);
    }),
    ("right", |api| {
        let _ = program(api, true, true);
    }),
    ("leaks", |api| {
        let _ = program(api, false, true);
    }),
    ("keeps", |api| {
        let _ = program(api, false, false);
    }),
    ("frees twice", frees_twice),
    ("frees twice and leaks", |api| {
        frees_twice(api);
        let _ = program(api, false, true);
    }),
];

unsafe extern "C" {
    fn quick_exit(status: i32) -> !;
}

fn frees_twice(api: &Api) {
    let pointer = program(api, true, true);
    // SAFETY: whatever it is, the emulator looks before it frees.
    assert_ne!(unsafe { (api.memory.aclrtFree)(pointer) }, 0);
}

/// A program whose child uses the emulator of its parent, and ends without exit functions.
fn forks(api: &Api) {
    let pointer = program(api, true, true);
    // SAFETY: the child calls the emulator, which no other thread uses, and ends.
    let child = unsafe { libc::fork() };
    if child == 0 {
        // SAFETY: the call is refused, although the table is that of the parent.
        let code = unsafe { (api.memory.aclrtFree)(pointer) };
        // SAFETY: no preconditions.
        unsafe { libc::_exit(i32::from(code != ACL_ERROR_RT_FEATURE_NOT_SUPPORT)) };
    }
    let mut status = -1;
    // SAFETY: valid for a write.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    assert_eq!(status, 0);
}

/// A program that allocates memory, and frees it only if `frees` is true.
fn program(api: &Api, frees: bool, finalises: bool) -> *mut c_void {
    // SAFETY: null asks for no file.
    assert_eq!(unsafe { (api.runtime.aclInit)(ptr::null()) }, 0);
    // SAFETY: takes a number.
    assert_eq!(unsafe { (api.device.aclrtSetDevice)(0) }, 0);
    let mut pointer = ptr::null_mut();
    // SAFETY: valid for a write.
    let code = unsafe { (api.memory.aclrtMalloc)(&mut pointer, 64, ACL_MEM_MALLOC_HUGE_FIRST) };
    assert_eq!(code, 0);
    if frees {
        // SAFETY: allocated above.
        assert_eq!(unsafe { (api.memory.aclrtFree)(pointer) }, 0);
        // SAFETY: takes a number.
        assert_eq!(unsafe { (api.device.aclrtResetDevice)(0) }, 0);
    }
    if finalises {
        // SAFETY: takes no argument.
        assert_eq!(unsafe { (api.runtime.aclFinalize)() }, 0);
    }
    pointer
}

/// A program whose fill fails by an injected fault, and that ignores the result of the synchronise.
fn uses_a_failed_result(api: &Api) {
    let memory = program(api, false, false);
    // SAFETY: 64 bytes, and the default stream.
    let code = unsafe { (api.memory.aclrtMemsetAsync)(memory, 64, 1, 64, ptr::null_mut()) };
    assert_eq!(code, 0);
    // SAFETY: the default stream.
    let code = unsafe { (api.stream.aclrtSynchronizeStream)(ptr::null_mut()) };
    assert_ne!(code, 0);
    let mut bytes = [0u8; 64];
    let to = bytes.as_mut_ptr().cast();
    // SAFETY: 64 bytes on both sides.
    let code = unsafe { (api.memory.aclrtMemcpy)(to, 64, memory, 64, ACL_MEMCPY_DEVICE_TO_HOST) };
    assert_eq!(code, 0);
}

#[test]
fn a_failed_result_is_found_where_it_is_used() {
    let faults = ("ASCENDCL_EMULATOR_FAULTS", "task:aclrtMemsetAsync=507001");
    let output = run(
        "uses a failed result",
        &[("ASCENDCL_EMULATOR_CHECK", "1"), faults],
    );
    assert_eq!(output.status.code(), Some(EXIT_STATUS), "{}", text(&output));
    let text = text(&output);
    for part in [
        "[failed-result]",
        "read: aclrtMemcpy, call 6",
        "failed: aclrtMemsetAsync, call 4",
    ] {
        assert!(text.contains(part), "{part:?} is missing in:\n{text}");
    }
}

#[test]
fn device_memory_touched_by_the_host_is_told_before_the_program_ends() {
    let report = std::env::temp_dir().join(format!("ascendcl-touched-{}", std::process::id()));
    let variable = ("ASCENDCL_EMULATOR_REPORT", report.to_str().unwrap());
    let output = run("reads device memory", &[variable]);
    let text = text(&output);
    assert_eq!(output.status.signal(), Some(SIGSEGV), "{text}");
    for part in [
        "[device-memory-touched]",
        "the program reads from 0x",
        "(64 bytes of memory of device 0), where the host has no memory",
        "used: the program, thread the_programs, in ",
        "allocated: aclrtMalloc, call 3 of thread the_programs, in check_exit::program at ",
        "help: only calls reach device memory",
        "ascendcl-emulator: 1 finding\n",
    ] {
        assert!(text.contains(part), "{part:?} is missing in:\n{text}");
    }
    assert!(!text.contains("dereference.rs"), "not the program:\n{text}");
    let json: JsonValue = std::fs::read_to_string(&report).unwrap().parse().unwrap();
    std::fs::remove_file(&report).unwrap();
    let findings: &Vec<JsonValue> = json["findings"].get().unwrap();
    assert_eq!(findings.len(), 1);
    assert_eq!(
        *findings[0]["id"].get::<String>().unwrap(),
        "device-memory-touched"
    );
}

#[test]
fn a_fault_elsewhere_ends_the_program_as_ever() {
    for check in ["0", "1"] {
        let output = run(
            "follows a wild pointer",
            &[("ASCENDCL_EMULATOR_CHECK", check)],
        );
        assert_eq!(output.status.signal(), Some(SIGSEGV));
        let text = text(&output);
        assert!(!text.contains("ascendcl-emulator"), "{text}");
    }
}

#[test]
fn a_variable_that_does_not_exist_ends_the_program() {
    for (variable, says) in [
        ("ASCENDCL_EMULATOR_CHEK", "(\"leaks\") does not exist"),
        ("ASCENDCL_EMULATOR_SOC", "is \"leaks\"; set it to a chip of"),
    ] {
        let output = run("right", &[(variable, "leaks")]);
        let text = text(&output);
        assert_eq!(output.status.code(), Some(2), "{text}");
        let said = format!("ascendcl-emulator: the variable {variable} {says}");
        assert!(text.contains(&said), "{text}");
    }
}

#[test]
fn a_right_program_ends_as_ever() {
    let output = run("right", &[("ASCENDCL_EMULATOR_CHECK", "1")]);
    assert!(output.status.success(), "{}", text(&output));
    assert!(
        !text(&output).contains("ascendcl-emulator"),
        "{}",
        text(&output)
    );
}

#[test]
fn findings_are_told_at_once_and_by_the_exit_status() {
    let output = run("frees twice", &[("ASCENDCL_EMULATOR_CHECK", "1")]);
    assert_eq!(output.status.code(), Some(EXIT_STATUS));
    let text = text(&output);
    for part in [
        "memory was freed twice [double-free]",
        "freed: aclrtFree, call 7 of thread the_programs, in check_exit::frees_twice at ",
        "freed before: aclrtFree, call 4 of thread the_programs, in check_exit::program at ",
        "help: set the pointer to NULL",
        "ascendcl-emulator: 1 finding\n",
    ] {
        assert!(text.contains(part), "{part:?} is missing in:\n{text}");
    }
}

#[test]
fn without_the_checker_nothing_is_said() {
    for variables in [&[][..], &[("ASCENDCL_EMULATOR_CHECK", "0")]] {
        let output = run("frees twice", variables);
        assert!(output.status.success(), "{}", text(&output));
        assert!(
            !text(&output).contains("ascendcl-emulator"),
            "{}",
            text(&output)
        );
    }
}

#[test]
fn what_is_left_after_finalising_is_a_leak() {
    for (check, code) in [
        ("1", 0),
        ("leaks", EXIT_STATUS),
        ("left-to-reset", EXIT_STATUS),
    ] {
        let output = run("leaks", &[("ASCENDCL_EMULATOR_CHECK", check)]);
        let text = text(&output);
        assert_eq!(output.status.code(), Some(code), "{check}: {text}");
        for part in [
            "device 0 was set and never reset",
            "64 bytes at 0x",
            "allocated: aclrtMalloc, call 3 of thread",
            "ascendcl-emulator: 2 findings",
        ] {
            assert!(text.contains(part), "{part:?} is missing in:\n{text}");
        }
        let says_how = text.contains("ASCENDCL_EMULATOR_CHECK=leaks changes it");
        assert_eq!(says_how, code == 0, "{check}: {text}");
    }
}

#[test]
fn a_leak_beside_another_mistake_does_not_hide_it() {
    let output = run("frees twice and leaks", &[("ASCENDCL_EMULATOR_CHECK", "1")]);
    let text = text(&output);
    assert_eq!(output.status.code(), Some(EXIT_STATUS), "{text}");
    for part in ["[double-free]", "[leak]"] {
        assert!(text.contains(part), "{part:?} is missing in:\n{text}");
    }
}

#[test]
fn what_is_left_to_a_reset_is_found_where_it_is_asked_for() {
    let run = |check| {
        run(
            "leaves memory to the reset",
            &[("ASCENDCL_EMULATOR_CHECK", check)],
        )
    };
    let output = run("1");
    assert!(output.status.success(), "{}", text(&output));
    let output = run("left-to-reset");
    assert_eq!(output.status.code(), Some(EXIT_STATUS));
    let text = text(&output);
    for part in [
        "something was left to the reset of its device [left-to-reset]",
        "(memory of device 0) were never freed, and end with aclrtResetDevice",
        "allocated: aclrtMalloc, call 3 of thread",
        "was never destroyed, and ends with aclrtResetDevice",
        "created: aclrtCreateStream, call 4 of thread",
        "ascendcl-emulator: 2 findings",
    ] {
        assert!(text.contains(part), "{part:?} is missing in:\n{text}");
    }
}

#[test]
fn what_is_kept_to_the_end_is_mentioned_but_no_mistake() {
    let output = run("keeps", &[("ASCENDCL_EMULATOR_CHECK", "1")]);
    assert!(output.status.success());
    assert!(
        text(&output).contains("left at the end, without aclFinalize: device 0"),
        "{}",
        text(&output)
    );
}

#[test]
fn the_report_is_json() {
    let name = format!("ascendcl-report-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let pattern = folder.join("report-%p.json");
    let output = run(
        "frees twice",
        &[("ASCENDCL_EMULATOR_REPORT", pattern.to_str().unwrap())],
    );
    assert_eq!(output.status.code(), Some(EXIT_STATUS), "{}", text(&output));
    let files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    let [file] = &files[..] else {
        unreachable!("one report is expected: {files:?}")
    };
    let report: JsonValue = std::fs::read_to_string(file).unwrap().parse().unwrap();
    let finding = &report["findings"][0];
    let word = |value: &JsonValue| value.get::<String>().cloned().unwrap();
    assert_eq!(word(&finding["id"]), "double-free");
    let calls: &Vec<JsonValue> = finding["calls"].get().unwrap();
    let parts: Vec<_> = calls.iter().map(|call| word(&call["part"])).collect();
    assert_eq!(parts, ["freed", "freed before", "allocated"]);
    assert_eq!(finding["calls"][0]["nth"].get(), Some(&7.0));
    assert!(word(&finding["calls"][1]["frames"][0]).contains("check_exit.rs"));
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Returns the findings of each report; the reports are in a folder of their own, which is removed.
fn reports(program: &str) -> (Output, Vec<Vec<String>>) {
    let name = format!(
        "ascendcl-{}-{}",
        program.replace(' ', "-"),
        std::process::id()
    );
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let pattern = folder.join("report-%p.json");
    let output = run(
        program,
        &[("ASCENDCL_EMULATOR_REPORT", pattern.to_str().unwrap())],
    );
    let files = std::fs::read_dir(&folder).unwrap();
    let mut reports: Vec<Vec<String>> = files
        .map(|file| {
            let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
            let report: JsonValue = text.parse().unwrap();
            let findings: &Vec<JsonValue> = report["findings"].get().unwrap();
            let ids = findings.iter().map(|finding| finding["id"].get().cloned());
            ids.map(Option::unwrap).collect()
        })
        .collect();
    reports.sort();
    std::fs::remove_dir_all(&folder).unwrap();
    (output, reports)
}

#[test]
fn the_report_is_whole_however_a_program_ends() {
    for (program, code, signal) in [
        ("right", Some(0), None),
        ("frees twice", Some(EXIT_STATUS), None),
        ("ends quickly", Some(EXIT_STATUS), None),
        // No exit function of the process runs.
        ("ends at once", Some(0), None),
        ("aborts", None, Some(libc::SIGABRT)),
    ] {
        let (output, reports) = reports(program);
        let status = output.status;
        assert_eq!(
            (status.code(), status.signal()),
            (code, signal),
            "{program}"
        );
        let found = if program == "right" {
            vec![]
        } else {
            vec!["double-free"]
        };
        assert_eq!(reports, [found], "{program}");
    }
}

#[test]
fn a_report_through_a_link_leaves_the_link() {
    let name = format!("ascendcl-linked-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let (link, file) = (folder.join("link"), folder.join("file"));
    std::os::unix::fs::symlink(&file, &link).unwrap();
    let output = run(
        "frees twice",
        &[("ASCENDCL_EMULATOR_REPORT", link.to_str().unwrap())],
    );
    assert_eq!(output.status.code(), Some(EXIT_STATUS), "{}", text(&output));
    assert_eq!(std::fs::read_link(&link).unwrap(), file);
    let report: JsonValue = std::fs::read_to_string(&file).unwrap().parse().unwrap();
    assert_eq!(
        report["findings"][0]["id"].get(),
        Some(&"double-free".to_owned())
    );
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_child_without_an_end_has_a_report_of_its_own() {
    let (output, reports) = reports("forks");
    assert!(output.status.success(), "{}", text(&output));
    assert_eq!(reports, [vec![], vec!["used-after-fork"]]);
}

/// Calls an absent function and a refusing function twice each, and ignores the results.
fn calls_what_is_not_modelled(api: &Api) {
    let _ = program(api, true, true);
    for _ in 0..2 {
        // SAFETY: takes a number.
        let _ = unsafe { (api.device.aclRecoverAllHcclTasks)(0) };
        let mut address = ptr::null_mut();
        // SAFETY: looks at nothing.
        let _ = unsafe { (api.device.aclrtGetHardwareSyncAddr)(&mut address) };
    }
}

#[test]
fn what_is_not_modelled_is_said_once() {
    let program = "calls what is not modelled";
    for (check, said) in [("1", 1), ("0", 0)] {
        let output = run(program, &[("ASCENDCL_EMULATOR_CHECK", check)]);
        let text = text(&output);
        assert!(output.status.success(), "{text}");
        for call in ["aclRecoverAllHcclTasks", "aclrtGetHardwareSyncAddr"] {
            let line = format!(
                "the program called {call}, which this build of the emulator does not model"
            );
            assert_eq!(text.matches(&line).count(), said, "{text}");
        }
    }
}

/// Makes three calls that can run out of a resource, and prints their results.
fn runs_out(api: &Api) {
    // SAFETY: takes a number.
    let set = unsafe { (api.device.aclrtSetDevice)(0) };
    let (mut memory, mut stream) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: valid for a write.
    let allocated = unsafe { (api.memory.aclrtMalloc)(&mut memory, 64, ACL_MEM_MALLOC_HUGE_FIRST) };
    // SAFETY: valid for a write.
    let created = unsafe { (api.stream.aclrtCreateStream)(&mut stream) };
    eprintln!("answers: {set} {allocated} {created}");
}

#[test]
fn words_for_faults_reach_the_calls() {
    for (word, answers) in [
        ("out-of-memory", "answers: 0 207001 0"),
        ("no-stream", "answers: 0 0 207008"),
        ("device-lost#2", "answers: 0 507010 507010"),
    ] {
        let output = run("runs out", &[("ASCENDCL_EMULATOR_FAULTS", word)]);
        let text = text(&output);
        assert!(text.contains(answers), "{word}: {text}");
    }
}

#[test]
fn a_setting_that_means_nothing_is_one_line_and_an_exit_status() {
    for (name, value) in [
        ("ASCENDCL_EMULATOR_CHECK", "yes"),
        ("ASCENDCL_EMULATOR_REPORT", "/nowhere/at/all.json"),
        ("ASCENDCL_EMULATOR_DEVICES", "-1"),
        ("ASCENDCL_EMULATOR_MEMORY", "much"),
        ("ASCENDCL_EMULATOR_SCHEDULE", "someday"),
        ("ASCENDCL_EMULATOR_RUN_MODE", "both"),
        ("ASCENDCL_EMULATOR_STREAMS", "x"),
        ("ASCENDCL_EMULATOR_PEERS", "some"),
        ("ASCENDCL_EMULATOR_GIGABYTE_PAGES", "maybe"),
        ("ASCENDCL_EMULATOR_FAULTS", "aclrtMaloc=1"),
        ("ASCENDCL_EMULATOR_FAULT_SEED", "0x"),
    ] {
        let output = run("right", &[(name, value)]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        let text = text(&output);
        let lines: Vec<_> = text.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(lines.len(), 1, "{text}");
        assert!(
            text.contains(value) && text.starts_with("ascendcl-emulator: "),
            "{text}"
        );
    }
}
