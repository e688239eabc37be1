//! Device memory that two processes share: by a key, and by a handle of physical memory.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]
#![expect(
    clippy::print_stderr,
    reason = "the parent listens to what a child says"
)]

#[macro_use]
mod common;

use std::ffi::{CString, c_char, c_void};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::ptr;

use ascendcl_emulator::EXIT_STATUS;
use ascendcl_sys::*;
use common::*;

passes_while_watched!("share");

const LEN: usize = 10_000;
const ANYBODY: u64 = ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION;
const LISTED: u64 = ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT;

/// The variables with the name of the program that a child runs, and with its argument.
const PROGRAM: &str = "ASCENDCL_TEST_PROGRAM";
const TOLD: &str = "ASCENDCL_TEST_TOLD";

/// Another process, which runs one of the programs below.
struct Other {
    child: Child,
    says: BufReader<ChildStderr>,
    /// Whether it makes a mistake that the checker, if it is on, has to find.
    errs: bool,
}

impl Other {
    fn start(program: &str, told: &str) -> Other {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "the_programs", "--nocapture"]);
        command.env(PROGRAM, program).env(TOLD, told);
        if std::env::var_os("ASCENDCL_TEST_WATCHED").is_some() {
            command.env("ASCENDCL_EMULATOR_CHECK", "leaks");
        }
        if program == "on the device" {
            command.env("ASCENDCL_EMULATOR_RUN_MODE", "device");
        }
        command.stdin(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.stdout(Stdio::null()).spawn().unwrap();
        let says = BufReader::new(child.stderr.take().unwrap());
        let errs = ["doubles", "imports twice"].contains(&program);
        Other { child, says, errs }
    }

    /// Waits until the process pauses.
    fn paused(mut self) -> Other {
        let mut text = String::new();
        while self.says.read_line(&mut text).unwrap() > 0 {
            if text.ends_with("paused\n") {
                return self;
            }
        }
        unreachable!("the other process ended early: {text}")
    }

    /// Lets the process continue.
    fn go_on(mut self) -> Other {
        self.child.stdin.as_mut().unwrap().write_all(b"\n").unwrap();
        self
    }

    /// Waits for the end of the process, which has to succeed.
    fn ended(mut self) {
        let mut text = String::new();
        while self.says.read_line(&mut text).unwrap() > 0 {}
        let status = self.child.wait().unwrap();
        let is_good = status.success() || (self.errs && status.code() == Some(EXIT_STATUS));
        assert!(is_good && text.contains("main is over"), "{text}");
    }
}

/// Waits, in a child, until the parent lets it continue.
fn pause() {
    eprintln!("paused");
    std::io::stdin().read_line(&mut String::new()).unwrap();
}

/// Runs the program of a child process. Without the variable it only checks that all programs are known.
#[test]
fn the_programs() {
    let Ok(program) = std::env::var(PROGRAM) else {
        assert!(PROGRAMS.iter().any(|(name, _)| *name == "doubles"));
        return;
    };
    let (_, main) = PROGRAMS.iter().find(|(name, _)| *name == program).unwrap();
    check!(runtime.aclInit(ptr::null()));
    check!(device.aclrtSetDevice(0));
    main(&std::env::var(TOLD).unwrap());
    check!(device.aclrtResetDevice(0));
    check!(runtime.aclFinalize());
    eprintln!("main is over");
}

const PROGRAMS: [(&str, fn(&str)); 7] = [
    ("doubles", doubles),
    ("is not on the list", is_not_on_the_list),
    ("keeps it", keeps_it),
    ("imports twice", imports_twice),
    ("is asked too late", is_asked_too_late),
    ("maps a handle", maps_a_handle),
    ("on the device", on_the_device),
];

/// Exports memory and returns its key.
fn export(memory: *mut c_void, len: usize, flags: u64) -> String {
    let mut key = [c_char::MAX; 65];
    check!(memory.aclrtIpcMemGetExportKey(memory, len, key.as_mut_ptr(), 65, flags));
    let bytes = key.map(|byte| byte.cast_unsigned());
    let end = bytes.iter().position(|byte| *byte == 0).unwrap();
    String::from_utf8(bytes[..end].to_vec()).unwrap()
}

fn import(key: &str) -> (aclError, *mut c_void) {
    let (key, mut memory) = (CString::new(key).unwrap(), ptr::null_mut());
    let code = call!(memory.aclrtIpcMemImportByKey(&mut memory, key.as_ptr(), 0));
    (code, memory)
}

fn imported(key: &str) -> *mut c_void {
    let (code, memory) = import(key);
    assert_eq!(code, 0, "{}", text());
    memory
}

fn close(key: &str) -> aclError {
    let key = CString::new(key).unwrap();
    call!(memory.aclrtIpcMemClose(key.as_ptr()))
}

fn doubles(key: &str) {
    let (memory, s) = (imported(key), stream());
    let bytes = download(memory, LEN);
    assert_eq!(bytes, pattern(1));
    let host = malloc_host(LEN);
    upload(host, &pattern(2));
    let kind = ACL_MEMCPY_HOST_TO_DEVICE;
    check!(memory.aclrtMemcpyAsync(memory, LEN, host, LEN, kind, s));
    check!(stream.aclrtSynchronizeStream(s));
    check!(107000, memory.aclrtFree(memory));
    assert_eq!(close(key), 0);
    check!(107000, memory.aclrtMemset(memory, LEN, 0, LEN));
    assert_eq!(close(key), 507899);
    check!(memory.aclrtFreeHost(host));
    check!(stream.aclrtDestroyStream(s));
}

/// Returns bytes that differ from page to page.
fn pattern(factor: usize) -> Vec<u8> {
    (0..LEN).map(|at| (at % 251 * factor) as u8).collect()
}

#[test]
fn each_process_sees_what_the_other_writes() {
    let _serial = start();
    let memory = malloc(LEN);
    upload(memory, &pattern(1));
    let key = export(memory, LEN, ANYBODY);
    assert_eq!(
        download(memory, LEN),
        pattern(1),
        "it is the same memory still"
    );
    Other::start("doubles", &key).ended();
    assert_eq!(download(memory, LEN), pattern(2));
    assert_eq!(close(&key), 0);
    assert_eq!(download(memory, LEN), pattern(2));
    check!(memory.aclrtFree(memory));
}

fn is_not_on_the_list(key: &str) {
    assert_eq!(import(key).0, 507899);
    assert!(text().contains("is not for process"), "{}", text());
    pause();
    let memory = imported(key);
    assert_eq!(download(memory, 4), [4; 4]);
    assert_eq!(close(key), 0);
}

#[test]
fn a_process_has_to_be_on_the_list() {
    let _serial = start();
    let memory = malloc(LEN);
    upload(memory, &[4; LEN]);
    let key = export(memory, LEN, LISTED);
    let other = Other::start("is not on the list", &key).paused();
    let name = CString::new(key.as_str()).unwrap();
    let mut listed = [1, other.child.id().cast_signed()];
    check!(memory.aclrtIpcMemSetImportPid(name.as_ptr(), listed.as_mut_ptr(), 2));
    other.go_on().ended();
    assert_eq!(close(&key), 0);
    check!(
        507899,
        memory.aclrtIpcMemSetImportPid(name.as_ptr(), listed.as_mut_ptr(), 2)
    );
    check!(memory.aclrtFree(memory));
}

fn keeps_it(key: &str) {
    let memory = imported(key);
    pause();
    assert_eq!(download(memory, LEN), vec![6; LEN]);
    upload(memory, &[7; LEN]);
    pause();
    assert_eq!(download(memory, LEN), vec![7; LEN]);
    assert_eq!(close(key), 0);
}

#[test]
fn what_the_owner_gives_back_is_the_others_alone() {
    let _serial = start();
    let memory = malloc(LEN);
    upload(memory, &[6; LEN]);
    let key = export(memory, LEN, ANYBODY);
    let other = Other::start("keeps it", &key).paused();
    check!(memory.aclrtFree(memory));
    let again = malloc(LEN);
    assert_eq!(again, memory, "the next owner of the address");
    upload(again, &[8; LEN]);
    let other = other.go_on().paused();
    assert_eq!(download(again, LEN), [8; LEN], "has pages of its own");
    upload(again, &[9; LEN]);
    check!(memory.aclrtFree(again));
    check!(device.aclrtResetDevice(0));
    other.go_on().ended();
    check!(device.aclrtSetDevice(0));
    assert_eq!(close(&key), 0);
}

fn imports_twice(key: &str) {
    let (one, two) = (imported(key), imported(key));
    assert_ne!(one, two);
    upload(one, &[3; 64]);
    assert_eq!(download(two, 64), [3; 64]);
    assert_eq!(close(key), 0);
    check!(107000, memory.aclrtMemset(one, 64, 0, 64));
    assert_eq!(download(two, 64), [3; 64], "the older one was closed");
    // The second allocation of the process has the address of the first import.
    let own = malloc(LEN);
    upload(own, &[5; LEN]);
    assert_eq!(download(two, 64), [3; 64]);
    check!(memory.aclrtFree(own));
    let (mut pid, name) = (1, CString::new(key).unwrap());
    check!(
        507899,
        memory.aclrtIpcMemSetImportPid(name.as_ptr(), &mut pid, 1)
    );
    let mut again = [0; 65];
    check!(
        507899,
        memory.aclrtIpcMemGetExportKey(two, 64, again.as_mut_ptr(), 65, ANYBODY)
    );
    assert!(text().contains("another process exports"));
    // A reset frees imported memory, and the close finds it freed.
    check!(device.aclrtResetDevice(0));
    check!(device.aclrtSetDevice(0));
    assert_eq!(close(key), 0);
    assert_eq!(close(key), 507899);
}

#[test]
fn a_key_can_be_imported_more_than_once_and_memory_be_exported_more_than_once() {
    let _serial = start();
    let memory = malloc(LEN);
    upload(memory, &[1; LEN]);
    let (first, second) = (export(memory, LEN, ANYBODY), export(memory, 64, ANYBODY));
    assert_ne!(first, second);
    assert_eq!(close(&first), 0);
    Other::start("imports twice", &second).ended();
    assert_eq!(download(memory, 65)[62..], [3, 3, 1]);
    assert_eq!(close(&second), 0);
    // All keys are closed, and a new key works too.
    let third = export(memory, LEN, ANYBODY);
    assert_eq!(download(memory, 65)[62..], [3, 3, 1]);
    Other::start("imports twice", &third).ended();
    assert_eq!(close(&third), 0);
    check!(memory.aclrtFree(memory));
}

fn is_asked_too_late(key: &str) {
    assert_eq!(import(key).0, 507899);
    assert!(text().contains("no process has the memory"));
}

#[test]
fn a_key_that_was_closed_opens_nothing() {
    let _serial = start();
    let memory = malloc(LEN);
    let key = export(memory, LEN, ANYBODY);
    assert_eq!(close(&key), 0);
    let other = export(memory, LEN, ANYBODY);
    assert_ne!(other, key);
    Other::start("is asked too late", &key).ended();
    assert_eq!(close(&other), 0);
    check!(memory.aclrtFree(memory));
}

#[test]
fn memory_that_is_exported_under_its_work_stays_whole() {
    /// The size is large enough that a worker is still copying when the export begins.
    const LARGE: usize = 8 << 20;
    let _serial = start();
    let (from, to, s) = (malloc(LARGE), malloc(LARGE), stream());
    let mut keys = Vec::new();
    for round in 1..=20u8 {
        check!(memory.aclrtMemset(from, LARGE, round.into(), LARGE));
        assert_eq!(copy_async(to, from, LARGE, s), 0);
        keys.push(export(to, LARGE, ANYBODY));
        assert_eq!(copy_async(from, to, LARGE, s), 0);
        keys.push(export(from, LARGE, ANYBODY));
        check!(stream.aclrtSynchronizeStream(s));
        for memory in [from, to] {
            assert!(
                download(memory, LARGE) == vec![round; LARGE],
                "round {round}"
            );
        }
        // When all keys are closed, the next export gives the memory pages of another file.
        assert!(keys.drain(..).all(|key| close(&key) == 0));
    }
    check!(stream.aclrtDestroyStream(s));
}

#[test]
fn arguments_are_looked_at() {
    let _serial = start();
    let (device, host) = (malloc(LEN), malloc_host(LEN));
    let mut key = [0; 65];
    let mut out = ptr::null_mut();
    let to = key.as_mut_ptr();
    let inside = device.wrapping_byte_add(4096);
    let exports = |code, from, size, len, flags| {
        check!(
            code,
            memory.aclrtIpcMemGetExportKey(from, size, to, len, flags)
        );
    };
    exports(100000, ptr::null_mut(), LEN, 65, 0);
    exports(107000, device, 0, 65, 0);
    exports(107000, device, LEN, 0, 0);
    exports(107000, device, LEN, 65, 2);
    exports(507899, device, LEN, 64, 0);
    exports(507899, device, 1 << 20, 65, 0);
    exports(507899, inside, 4096, 65, 0);
    exports(507899, host, LEN, 65, 0);
    exports(507899, ptr::without_provenance_mut(64), LEN, 65, 0);
    check!(
        100000,
        memory.aclrtIpcMemGetExportKey(device, LEN, ptr::null_mut(), 65, 0)
    );
    let own = export(device, LEN, ANYBODY);
    for (wrong, says) in [
        ("", "is no key"),
        ("ascendcl-emulator-", "is no key"),
        ("ascendcl-emulator-xyz", "is no key"),
        ("ascendcl-emulator-0", "no process has"),
        ("ascendcl-emulator-ffffffffffffffff", "no process has"),
        (own.as_str(), "is of this process"),
    ] {
        assert_eq!(import(wrong).0, 507899, "{wrong}");
        let text = text();
        assert!(text.contains(says), "{text}");
    }
    let name = CString::new(own.as_str()).unwrap();
    let name = name.as_ptr();
    check!(
        100000,
        memory.aclrtIpcMemImportByKey(&mut out, ptr::null(), 0)
    );
    check!(
        100000,
        memory.aclrtIpcMemImportByKey(ptr::null_mut(), name, 0)
    );
    check!(107000, memory.aclrtIpcMemImportByKey(&mut out, name, 2));
    check!(100000, memory.aclrtIpcMemClose(ptr::null()));
    check!(507899, memory.aclrtIpcMemClose(c"x".as_ptr()));
    let mut processes = vec![1; 257];
    let list = processes.as_mut_ptr();
    check!(
        100000,
        memory.aclrtIpcMemSetImportPid(name, ptr::null_mut(), 1)
    );
    check!(107000, memory.aclrtIpcMemSetImportPid(name, list, 0));
    check!(107000, memory.aclrtIpcMemSetImportPid(name, list, 257));
    check!(memory.aclrtIpcMemSetImportPid(name, list, 256));
    check!(507899, memory.aclrtIpcMemSetImportPid(name, list, 1));
    let mut none = -1;
    check!(107000, memory.aclrtIpcMemSetImportPid(name, &mut none, 1));
    check!(device.aclrtResetDevice(0));
    check!(107002, memory.aclrtIpcMemClose(name));
    check!(device.aclrtSetDevice(0));
    check!(memory.aclrtIpcMemClose(name));
    check!(memory.aclrtFreeHost(host));
}

/// The bytes of physical memory.
const UNIT: usize = 2 << 20;
const DEFAULT: aclrtMemSharedHandleType = ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT;

fn mapped(handle: aclrtDrvMemHandle) -> *mut c_void {
    let mut memory = ptr::null_mut();
    check!(memory.aclrtReserveMemAddress(&mut memory, UNIT, 0, ptr::null_mut(), 1));
    check!(memory.aclrtMapMem(memory, UNIT, 0, handle, 0));
    memory
}

fn unmapped(memory: *mut c_void, handle: aclrtDrvMemHandle) {
    check!(memory.aclrtUnmapMem(memory));
    check!(memory.aclrtReleaseMemAddress(memory));
    check!(memory.aclrtFreePhysical(handle));
}

fn maps_a_handle(number: &str) {
    let mut number: u64 = number.parse().unwrap();
    let (at, mut handle) = ((&raw mut number).cast(), ptr::null_mut());
    check!(
        507899,
        memory.aclrtMemImportFromShareableHandleV2(at, DEFAULT, 0, &mut handle)
    );
    pause();
    check!(memory.aclrtMemImportFromShareableHandleV2(at, DEFAULT, 0, &mut handle));
    let memory = mapped(handle);
    assert_eq!(download(memory, UNIT), vec![1; UNIT]);
    check!(memory.aclrtMemset(memory, UNIT, 2, UNIT));
    let mut again = ptr::null_mut();
    check!(
        507899,
        memory.aclrtMemImportFromShareableHandle(number, 0, &mut again)
    );
    assert!(text().contains("imported already"), "{}", text());
    unmapped(memory, handle);
    // The first generation uses the same number, which is free again.
    check!(memory.aclrtMemImportFromShareableHandle(number, 0, &mut handle));
    let memory = mapped(handle);
    assert_eq!(download(memory, UNIT), vec![2; UNIT]);
    check!(memory.aclrtMemset(memory, UNIT, 3, UNIT));
    unmapped(memory, handle);
}

#[test]
fn physical_memory_is_shared_by_a_handle() {
    let _serial = start();
    let handle = physical(UNIT);
    let memory = mapped(handle);
    check!(memory.aclrtMemset(memory, UNIT, 1, UNIT));
    let mut number = 0u64;
    let at = (&raw mut number).cast();
    check!(memory.aclrtMemExportToShareableHandleV2(handle, LISTED, DEFAULT, at));
    check!(
        507899,
        memory.aclrtMemExportToShareableHandleV2(handle, LISTED, DEFAULT, at)
    );
    let other = Other::start("maps a handle", &number.to_string()).paused();
    let mut process = other.child.id().cast_signed();
    check!(memory.aclrtMemSetPidToShareableHandleV2(at, DEFAULT, &mut process, 1));
    other.go_on().ended();
    assert_eq!(download(memory, UNIT), vec![3; UNIT]);
    unmapped(memory, handle);
    Other::start(
        "is asked too late",
        &format!("ascendcl-emulator-{number:x}"),
    )
    .ended();
}

#[test]
fn arguments_of_handles_are_looked_at() {
    let _serial = start();
    let handle = physical(UNIT);
    let (mut number, mut out) = (0u64, ptr::null_mut());
    let (none, at) = (ptr::null_mut(), (&raw mut number).cast());
    let fabric = ACL_MEM_SHARE_HANDLE_TYPE_FABRIC;
    let other = aclrtMemSharedHandleType(0);
    for (code, handle, flags, kind, at) in [
        (100000, none, 0, DEFAULT, at),
        (100000, handle, 0, DEFAULT, none),
        (107000, handle, 2, DEFAULT, at),
        (107000, handle, 0, other, at),
        (207000, handle, 0, fabric, at),
        (107000, ptr::without_provenance_mut(9), 0, DEFAULT, at),
    ] {
        check!(
            code,
            memory.aclrtMemExportToShareableHandleV2(handle, flags, kind, at)
        );
    }
    let kind = ACL_MEM_HANDLE_TYPE_POSIX;
    check!(
        100000,
        memory.aclrtMemExportToShareableHandle(handle, kind, 0, &mut number)
    );
    let kind = ACL_MEM_HANDLE_TYPE_NONE;
    check!(memory.aclrtMemExportToShareableHandle(handle, kind, ANYBODY, &mut number));
    for (code, at, flags, kind) in [
        (100000, none, 0, DEFAULT),
        (100000, at, 9, DEFAULT),
        (107000, at, 0, other),
        (207000, at, 0, fabric),
        (507899, at, 0, DEFAULT),
    ] {
        check!(
            code,
            memory.aclrtMemImportFromShareableHandleV2(at, kind, flags, &mut out)
        );
    }
    check!(
        107001,
        memory.aclrtMemImportFromShareableHandle(number, 9, &mut out)
    );
    check!(
        507899,
        memory.aclrtMemImportFromShareableHandle(7, 0, &mut out)
    );
    let mut process = 1;
    check!(memory.aclrtMemSetPidToShareableHandle(number, &mut process, 1));
    check!(
        100000,
        memory.aclrtMemSetPidToShareableHandle(number, &mut process, 0)
    );
    check!(
        100000,
        memory.aclrtMemSetPidToShareableHandleV2(at, DEFAULT, &mut process, 0)
    );
    check!(
        507899,
        memory.aclrtMemSetPidToShareableHandle(7, &mut process, 1)
    );
    check!(memory.aclrtFreePhysical(handle));
    check!(
        507899,
        memory.aclrtMemSetPidToShareableHandle(number, &mut process, 1)
    );
}

fn on_the_device(_: &str) {
    let (memory, mut key) = (malloc(LEN), [0; 65]);
    check!(
        207000,
        memory.aclrtIpcMemGetExportKey(memory, LEN, key.as_mut_ptr(), 65, ANYBODY)
    );
    check!(207000, memory.aclrtIpcMemClose(c"x".as_ptr()));
    check!(memory.aclrtFree(memory));
}

#[test]
fn on_the_device_itself_nothing_is_shared() {
    let _serial = start();
    Other::start("on the device", "").ended();
}
