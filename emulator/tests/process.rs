//! A process from its first call to its last: initialising, calls without it, and calls during the exit.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::print_stderr, reason = "the parent looks at what a child says")]

#[macro_use]
mod common;

use std::cell::Cell;
use std::ffi::{CString, c_void};
use std::process::Command;
use std::ptr;

use ascendcl_emulator::EmulatorConfig;
use ascendcl_sys::*;
use common::*;

#[test]
fn initialising_and_finalising_are_counted() {
    let _serial = serial(EmulatorConfig::default());
    let (mut count, mut mode) = (0, ACL_DEVICE);
    check!(device.aclrtGetDeviceCount(&mut count));
    check!(runtime.aclrtGetRunMode(&mut mode));
    assert_eq!((count, mode), (2, ACL_HOST), "before any aclInit");
    check!(device.aclrtSetDevice(0));
    let (s, pointer) = (stream(), malloc(64));
    check!(runtime.aclFinalize());
    check!(100037, runtime.aclFinalize());
    check!(memory.aclrtMemsetAsync(pointer, 64, 8, 64, s));
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(download(pointer, 64), [8; 64], "no device was reset");
    check!(memory.aclrtFree(pointer));
    check!(stream.aclrtDestroyStream(s));
    check!(memory.aclrtFree(malloc(64)));
    check!(device.aclrtResetDevice(0));
    check!(100003, runtime.aclInit(c"/nonexistent.json".as_ptr()));
    let pipe = std::env::temp_dir().join(format!("ascendcl-pipe-{}", std::process::id()));
    let pipe = CString::new(pipe.into_os_string().into_encoded_bytes()).unwrap();
    // SAFETY: a C string.
    assert_eq!(unsafe { libc::mkfifo(pipe.as_ptr(), 0o600) }, 0);
    check!(100003, runtime.aclInit(pipe.as_ptr()));
    // SAFETY: a C string.
    assert_eq!(unsafe { libc::unlink(pipe.as_ptr()) }, 0);
    check!(runtime.aclInit(ptr::null()));
    check!(100002, runtime.aclInit(ptr::null()));
    let mut left = 0;
    check!(runtime.aclFinalizeReference(&mut left));
    assert_eq!(left, 1);
    check!(runtime.aclFinalizeReference(&mut left));
    check!(100037, runtime.aclFinalizeReference(&mut left));
    check!(runtime.aclInit(ptr::null()));
    check!(100002, runtime.aclInit(ptr::null()));
    check!(runtime.aclFinalize());
    check!(100037, runtime.aclFinalize());
    check!(100037, runtime.aclFinalizeReference(&mut left));
}

/// The variable with the name of the program that a child runs.
const PROGRAM: &str = "ASCENDCL_TEST_PROGRAM";

/// Runs the named program in a child process of this test's executable, with these variables. The child has to
/// succeed; returns its standard error.
fn run(program: &str, variables: &[(&str, &str)]) -> String {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "the_programs", "--nocapture"]);
    command
        .env(PROGRAM, program)
        .envs(variables.iter().copied());
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{}: {text}", output.status);
    assert!(text.contains("main is over"), "{text}");
    text
}

/// Runs the program of a child process. Without the variable it only checks that all programs are known.
#[test]
fn the_programs() {
    let Ok(program) = std::env::var(PROGRAM) else {
        assert!(PROGRAMS.iter().any(|(name, _)| *name == "no card"));
        return;
    };
    let (_, main) = PROGRAMS.iter().find(|(name, _)| *name == program).unwrap();
    main();
    eprintln!("main is over");
}

const PROGRAMS: [(&str, fn()); 7] = [
    ("no card", no_card),
    ("configurations", configurations),
    ("damaged configuration", damaged_configuration),
    ("no such default device", no_such_default_device),
    ("default device", default_device),
    ("pending work", pending_work),
    ("calls while it exits", calls_while_it_exits),
];

fn no_card() {
    check!(500000, runtime.aclInit(ptr::null()));
}

#[test]
fn without_a_card_there_is_nothing_to_initialise() {
    run("no card", &[("ASCENDCL_EMULATOR_DEVICES", "0")]);
}

/// Initialises with this text in the configuration file, which always has the same path.
fn init(text: &str) -> aclError {
    let path = format!(
        "{}/acl-{}.json",
        env!("CARGO_TARGET_TMPDIR"),
        std::process::id()
    );
    std::fs::write(&path, text).unwrap();
    let name = CString::new(path.as_str()).unwrap();
    let code = call!(runtime.aclInit(name.as_ptr()));
    std::fs::remove_file(path).unwrap();
    code
}

fn configurations() {
    assert_eq!(init(""), 0);
    check!(runtime.aclFinalize());
    assert_eq!(init("{}"), 100000, "the first one is remembered");
    assert_eq!(init("{"), 100000, "before anybody looks what it says");
    assert_eq!(init(""), 0);
}

/// The variable with the index of the child's file in [`DAMAGED`].
const CASE: &str = "ASCENDCL_TEST_CASE";

/// Files that are no configurations: a text that is repeated this often.
const DAMAGED: [(&str, usize); 4] = [("\n", 1), ("{", 1), ("[", 1_000_000), ("{\"a\":", 11)];

fn damaged_configuration() {
    let case: usize = std::env::var(CASE).unwrap().parse().unwrap();
    let (part, times) = DAMAGED.get(case).unwrap();
    assert_eq!(init(&part.repeat(*times)), 100006);
    assert_eq!(init("{}"), 100000, "a refused one is remembered as well");
    check!(runtime.aclInit(ptr::null()));
}

#[test]
fn a_configuration_may_be_empty_and_not_too_deep() {
    run("configurations", &[]);
    for case in 0..DAMAGED.len() {
        run("damaged configuration", &[(CASE, &case.to_string())]);
    }
}

fn no_such_default_device() {
    assert_eq!(
        init(r#"{"defaultDevice": {"default_device": "7"}}"#),
        107001
    );
    assert!(text().contains("there is no device 7"));
    assert_eq!(init("{"), 100000, "the refused one is remembered");
    // Nothing is initialised, and there is no default device.
    check!(100037, runtime.aclFinalizeReference(ptr::null_mut()));
    check!(107002, device.aclrtSynchronizeDevice());
    check!(runtime.aclInit(ptr::null()));
}

#[test]
fn a_default_device_that_does_not_exist_is_refused_at_once() {
    run("no such default device", &[]);
}

fn default_device() {
    assert_eq!(init(r#"{"defaultDevice": {"default_device": "1"}}"#), 0);
    check!(107001, device.aclrtSetDevice(99));
    let mut id = -1;
    check!(device.aclrtGetDevice(&mut id));
    assert_eq!(id, 1);
    check!(507007, device.aclrtResetDevice(1));
    // The query for texts goes to a device, and opens the default device for it.
    assert_eq!(call!(device.aclrtSetDevice(99)), 107001);
    let told = text();
    assert!(told.contains("there is no device 99"), "{told}");
    assert!(!told.contains("No valid context"), "{told}");
    check!(device.aclrtResetDevice(1));
    check!(507007, device.aclrtResetDevice(1));
    std::thread::spawn(|| {
        assert_eq!(text(), "");
        check!(device.aclrtSynchronizeDevice());
    })
    .join()
    .unwrap();
    check!(device.aclrtResetDevice(1));
    check!(507007, device.aclrtResetDevice(1));
    // A thread whose device was reset takes the default device again, also after AscendCL was finalised.
    malloc(64);
    check!(device.aclrtSetDevice(1));
    check!(device.aclrtResetDevice(1));
    check!(device.aclrtResetDevice(1));
    malloc(64);
    check!(device.aclrtSetDevice(0));
    check!(device.aclrtResetDevice(0));
    malloc(64);
    assert_eq!(call!(device.aclrtGetDevice(&mut id)), 0);
    assert_eq!(id, 1);
    check!(device.aclrtResetDevice(1));
    check!(device.aclrtResetDevice(1));
    check!(507007, device.aclrtResetDevice(1));
    malloc(64);
    check!(runtime.aclFinalize());
    malloc(64);
    check!(device.aclrtResetDevice(1));
}

#[test]
fn a_thread_without_a_context_takes_the_default_device_again_and_again() {
    run("default device", &[]);
}

/// The size is large enough that two hundred copies are not complete when `main` returns.
const LEN: usize = 8 << 20;

fn pending_work() {
    check!(runtime.aclInit(ptr::null()));
    check!(device.aclrtSetDevice(0));
    let (memory, pinned, s, never) = (malloc(LEN), malloc_host(LEN), stream(), stream());
    for _ in 0..200 {
        assert_eq!(copy_async(pinned, memory, LEN, s), 0);
    }
    check!(event.aclrtStreamWaitEvent(never, event_with(ACL_EVENT_SYNC)));
    assert_eq!(copy_async(memory, pinned, 64, never), 0);
    check!(runtime.aclFinalize());
    assert_eq!(query(never), ACL_STREAM_STATUS_NOT_READY);
}

#[test]
fn a_process_exits_under_pending_work() {
    run("pending work", &[]);
}

/// Makes calls after `main`. A wrong result aborts, since a panic must not unwind from there.
extern "C" fn use_everything() {
    let mut left: *mut c_void = ptr::null_mut();
    check!(device.aclrtSetDevice(0));
    check!(
        100000,
        memory.aclrtMalloc(&mut left, 0, ACL_MEM_MALLOC_HUGE_FIRST)
    );
    let (memory, s, event) = (malloc(64), stream(), event());
    check!(memory.aclrtMemsetAsync(memory, 64, 4, 64, s));
    check!(event.aclrtRecordEvent(event, s));
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(download(memory, 64), [4; 64]);
    let mut graph = ptr::null_mut();
    let mode = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;
    check!(graph.aclmdlRICaptureBegin(s, mode));
    check!(memory.aclrtMemsetAsync(memory, 64, 5, 64, s));
    check!(graph.aclmdlRICaptureEnd(s, &mut graph));
    check!(graph.aclmdlRIExecuteAsync(graph, s));
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(download(memory, 64), [5; 64]);
    check!(graph.aclmdlRIDestroy(graph));
    check!(event.aclrtDestroyEvent(event));
    check!(stream.aclrtDestroyStream(s));
    check!(memory.aclrtFree(memory));
    check!(device.aclrtResetDevice(0));
}

/// A thread-local value whose destructor uses the device.
struct Last(Cell<bool>);

impl Drop for Last {
    fn drop(&mut self) {
        if self.0.get() {
            use_everything();
            eprintln!("thread");
        }
    }
}

thread_local! {
    static LAST: Last = const { Last(Cell::new(false)) };
}

extern "C" fn at_exit() {
    use_everything();
    eprintln!("atexit");
}

/// The loader runs this function of the executable, like the destructor of a global object in C++.
#[used]
#[unsafe(link_section = ".fini_array")]
static DESTRUCTOR: extern "C" fn() = destructor;

extern "C" fn destructor() {
    if std::env::var(PROGRAM).as_deref() == Ok("calls while it exits") {
        use_everything();
        eprintln!("destructor");
    }
}

fn calls_while_it_exits() {
    // The first value of the thread is dropped last, after those of the emulator.
    LAST.with(|last| last.0.set(true));
    check!(runtime.aclInit(ptr::null()));
    // So the thread has those values when it ends.
    use_everything();
    // SAFETY: a function that lives as long as the process.
    assert_eq!(unsafe { libc::atexit(at_exit) }, 0);
    check!(runtime.aclFinalize());
}

#[test]
fn calls_work_while_the_process_exits() {
    for check in ["0", "1"] {
        let text = run(
            "calls while it exits",
            &[("ASCENDCL_EMULATOR_CHECK", check)],
        );
        let found: Vec<_> = text
            .lines()
            .filter(|line| ["thread", "atexit", "destructor"].contains(line))
            .collect();
        assert_eq!(found, ["thread", "atexit", "destructor"], "{text}");
    }
}
