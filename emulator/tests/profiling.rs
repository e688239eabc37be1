//! The profiler: the codes of wrong calls, and what the file has of two devices.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[macro_use]
mod common;

use std::ffi::{CString, c_char};
use std::fs;
use std::path::{Path, PathBuf};
use std::ptr;

use ascendcl_emulator::EmulatorConfig;
use ascendcl_sys::*;
use common::*;
use tinyjson::JsonValue;

passes_while_watched!("profiling");

fn start() -> Serial {
    serial(EmulatorConfig::default())
}

/// Makes a new folder for results, which does not exist yet.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("profiling-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn init(folder: &Path) -> aclError {
    let path = CString::new(folder.to_str().unwrap()).unwrap();
    call!(profiling.aclprofInit(path.as_ptr(), path.as_bytes().len()))
}

fn config(devices: &mut [u32], kinds: u64) -> *mut aclprofConfig {
    call!(profiling.aclprofCreateConfig(
        devices.as_mut_ptr(),
        u32::try_from(devices.len()).unwrap(),
        ACL_AICORE_NONE,
        ptr::null(),
        kinds
    ))
}

/// Returns the files of a folder, in the order of their numbers, and removes the folder.
fn take_results(folder: &Path) -> Vec<JsonValue> {
    let entries = fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort_by_key(|file| (file.as_os_str().len(), file.clone()));
    let results = files.iter();
    let results = results.map(|file| fs::read_to_string(file).unwrap().parse().unwrap());
    let results = results.collect();
    fs::remove_dir_all(folder).unwrap();
    results
}

/// Returns the names of the tasks in a file, each with its device.
fn tasks(result: &JsonValue) -> Vec<(String, u32)> {
    let events: &Vec<JsonValue> = result["traceEvents"].get().unwrap();
    let tasks = events.iter().filter(|event| {
        let phase: &String = event["ph"].get().unwrap();
        let process: &f64 = event["pid"].get().unwrap();
        phase == "X" && *process > 0.0
    });
    tasks
        .map(|event| {
            let name: &String = event["name"].get().unwrap();
            let process: &f64 = event["pid"].get().unwrap();
            (name.clone(), *process as u32 - 1)
        })
        .collect()
}

#[test]
fn the_folder_is_checked() {
    let _serial = start();
    let path = c"x".as_ptr();
    check!(100000, profiling.aclprofInit(ptr::null(), 0));
    check!(100000, profiling.aclprofInit(path, 2));
    assert!(text().contains("profilerResultPath has 1 bytes, and length is 2"));
    check!(100000, profiling.aclprofInit(c"".as_ptr(), 0));
    let long = CString::new("x".repeat(4097)).unwrap();
    check!(100000, profiling.aclprofInit(long.as_ptr(), 4097));
    // A file where a folder should be.
    let file = folder("file");
    fs::write(&file, "").unwrap();
    assert_eq!(init(&file), ACL_ERROR_INVALID_FILE);
    assert!(text().contains("cannot be used"));
    fs::remove_file(&file).unwrap();
    check!(100043, profiling.aclprofFinalize());
}

#[test]
fn a_configuration_is_checked() {
    let _serial = start();
    let kinds = ACL_PROF_TASK_TIME;
    assert!(config(&mut [], kinds).is_null());
    assert!(text().contains("add ACL_PROF_MSPROFTX to dataTypeConfig"));
    assert!(config(&mut [2], kinds).is_null());
    assert!(text().contains("there is no device 2; this process has 2"));
    assert!(config(&mut [1, 1], kinds).is_null());
    assert!(text().contains("device 1 is in the list twice"));
    assert!(config(&mut [0, 1, 0], kinds).is_null());
    assert!(text().contains("deviceNums is 3, and this process has 2 devices"));
    let create = ascendcl_emulator::api().profiling.aclprofCreateConfig;
    // SAFETY: null, which the function checks.
    let list = unsafe { create(ptr::null_mut(), 1, ACL_AICORE_NONE, ptr::null(), kinds) };
    assert!(list.is_null());
    let events = ptr::without_provenance(8);
    // SAFETY: the function does not follow the pointer.
    let reserved = unsafe { create([0_u32].as_mut_ptr(), 1, ACL_AICORE_NONE, events, kinds) };
    assert!(reserved.is_null());
    assert!(text().contains("aicoreEvents is reserved; pass NULL"));

    let stamps = config(&mut [], ACL_PROF_MSPROFTX);
    assert!(!stamps.is_null());
    check!(profiling.aclprofDestroyConfig(stamps));
    check!(100000, profiling.aclprofDestroyConfig(stamps));
    check!(100000, profiling.aclprofDestroyConfig(ptr::null()));
}

#[test]
fn calls_have_an_order() {
    let _serial = start();
    let (kinds, folder) = (ACL_PROF_TASK_TIME, folder("order"));
    let (one, both) = (config(&mut [0], kinds), config(&mut [0, 1], kinds));
    let other = config(&mut [0], kinds | ACL_PROF_AICPU);
    let unknown = config(&mut [0], kinds | 1 << 40);
    check!(100000, profiling.aclprofStart(ptr::null()));
    check!(100000, profiling.aclprofStop(ptr::null()));
    check!(100043, profiling.aclprofStart(one));
    assert!(text().contains("call aclprofInit first"));
    check!(100043, profiling.aclprofStop(one));
    check!(
        100001,
        profiling.aclprofSetConfig(ACL_PROF_SYS_IO_FREQ, c"10".as_ptr(), 2)
    );

    assert_eq!(init(&folder), 0);
    assert_eq!(init(&folder), ACL_ERROR_REPEAT_INITIALIZE);
    check!(200007, profiling.aclprofStart(unknown));
    assert!(text().contains("has 0x10000000000, which names no kind of data"));
    check!(100043, profiling.aclprofStop(one));
    assert!(text().contains("device 0 is not profiled; call aclprofStart first"));
    check!(profiling.aclprofStart(one));
    check!(100042, profiling.aclprofStart(both));
    check!(100010, profiling.aclprofStop(other));
    check!(100043, profiling.aclprofStop(both));
    check!(profiling.aclprofStop(one));
    check!(100043, profiling.aclprofStop(one));
    // The end stops what runs.
    check!(profiling.aclprofStart(both));
    check!(profiling.aclprofFinalize());
    assert_eq!(take_results(&folder).len(), 2);
    for config in [one, both, other, unknown] {
        check!(profiling.aclprofDestroyConfig(config));
    }
}

#[test]
fn an_option_is_a_text_with_its_length() {
    let _serial = start();
    let folder = folder("option");
    assert_eq!(init(&folder), 0);
    let set = |option, text: *const c_char, length| {
        call!(profiling.aclprofSetConfig(option, text, length))
    };
    let ten = c"10".as_ptr();
    assert_eq!(set(ACL_PROF_SYS_IO_FREQ, ten, 2), 0);
    assert_eq!(set(ACL_PROF_SYS_IO_FREQ, ten, 3), 100000);
    assert_eq!(set(ACL_PROF_SYS_IO_FREQ, ptr::null(), 0), 100000);
    assert_eq!(set(ACL_PROF_SYS_IO_FREQ, c"".as_ptr(), 0), 100010);
    assert_eq!(set(ACL_PROF_ARGS_MIN, ten, 2), 100000);
    assert_eq!(set(aclprofConfigType(ACL_PROF_PATH.0 + 1), ten, 2), 100000);
    let long = CString::new("1".repeat(257)).unwrap();
    assert_eq!(set(ACL_PROF_SYS_IO_FREQ, long.as_ptr(), 257), 100000);
    check!(profiling.aclprofFinalize());
    assert_eq!(take_results(&folder).len(), 0, "nothing ran");
}

#[test]
fn only_the_tasks_of_profiled_devices_are_recorded() {
    let _serial = start();
    let folder = folder("devices");
    assert_eq!(init(&folder), 0);
    let (one, two) = (
        config(&mut [0], ACL_PROF_TASK_TIME),
        config(&mut [1], ACL_PROF_TASK_TIME_L0 | ACL_PROF_L2CACHE),
    );
    let fill = |device, size: usize| {
        check!(device.aclrtSetDevice(device));
        let (memory, stream) = (malloc(size), stream());
        check!(memory.aclrtMemsetAsync(memory, size, 1, size, stream));
        check!(stream.aclrtSynchronizeStream(stream));
        check!(stream.aclrtDestroyStream(stream));
        check!(memory.aclrtFree(memory));
    };
    fill(0, 64);
    check!(profiling.aclprofStart(one));
    fill(0, 64);
    fill(1, 64);
    check!(profiling.aclprofStart(two));
    check!(profiling.aclprofStop(one));
    fill(0, 64);
    fill(1, 64);
    check!(profiling.aclprofStop(two));
    fill(1, 64);
    check!(profiling.aclprofFinalize());
    let results = take_results(&folder);
    let [result] = results.as_slice() else {
        unreachable!("one file, when the last device stopped: {results:?}")
    };
    let memset = |device| ("aclrtMemsetAsync".to_owned(), device);
    assert_eq!(tasks(result), [memset(0), memset(1)]);
    let names = |key: &str| -> String { result["otherData"][key].stringify().unwrap() };
    assert_eq!(names("producer"), "\"ascendcl-emulator\"");
    assert_eq!(names("devices"), "[0,1]");
    let recorded = "[\"ACL_PROF_TASK_TIME\",\"ACL_PROF_TASK_TIME_L0\"]";
    assert_eq!(names("recorded"), recorded);
    assert_eq!(names("not recorded"), "[\"ACL_PROF_L2CACHE\"]");
    check!(device.aclrtResetDevice(1));
    check!(device.aclrtSetDevice(0));
    check!(device.aclrtResetDevice(0));
    for config in [one, two] {
        check!(profiling.aclprofDestroyConfig(config));
    }
}

#[test]
fn stamps_need_a_profile_that_records_them() {
    let _serial = start();
    let folder = folder("stamps");
    check!(device.aclrtSetDevice(0));
    let s = stream();
    let word = c"word".as_ptr();
    let mut range = 0;
    assert_eq!(init(&folder), 0);
    assert!(call!(profiling.aclprofCreateStamp()).is_null());
    assert!(text().contains("call aclprofStart with ACL_PROF_MSPROFTX"));
    let config = config(&mut [], ACL_PROF_MSPROFTX);
    check!(profiling.aclprofStart(config));
    let stamp = call!(profiling.aclprofCreateStamp());
    check!(-1, profiling.aclprofSetStampTraceMessage(stamp, word, 128));
    check!(
        -1,
        profiling.aclprofSetStampTraceMessage(ptr::null_mut(), word, 4)
    );
    check!(
        -1,
        profiling.aclprofSetStampTraceMessage(stamp, ptr::null(), 4)
    );
    // Only the text up to the NUL counts.
    check!(profiling.aclprofSetStampTraceMessage(stamp, word, 100));
    check!(-1, profiling.aclprofMark(ptr::null_mut()));
    check!(-1, profiling.aclprofPush(ptr::null_mut()));
    check!(-1, profiling.aclprofPop());
    check!(-1, profiling.aclprofRangeStart(stamp, ptr::null_mut()));
    check!(-1, profiling.aclprofRangeStart(ptr::null_mut(), &mut range));
    check!(-1, profiling.aclprofRangeStop(77));
    check!(-1, profiling.aclprofMarkEx(word, 4, ptr::null_mut()));
    check!(-1, profiling.aclprofMarkEx(word, 5, s));
    check!(-1, profiling.aclprofMarkEx(ptr::null(), 0, s));
    check!(-1, profiling.aclprofMarkEx(c"".as_ptr(), 0, s));
    check!(
        -1,
        profiling.aclprofMarkEx(word, 4, ptr::without_provenance_mut(8))
    );
    check!(profiling.aclprofMarkEx(word, 4, s));

    // A span of another thread cannot be popped, and a range can be stopped.
    check!(profiling.aclprofPush(stamp));
    check!(profiling.aclprofRangeStart(stamp, &mut range));
    std::thread::spawn(move || {
        check!(-1, profiling.aclprofPop());
        check!(profiling.aclprofRangeStop(range));
    })
    .join()
    .unwrap();
    check!(profiling.aclprofStop(config));
    check!(-1, profiling.aclprofPop());
    check!(profiling.aclprofFinalize());

    // What was open ended with its profile.
    assert_eq!(init(&folder), 0);
    check!(profiling.aclprofStart(config));
    check!(-1, profiling.aclprofPop());
    call!(profiling.aclprofDestroyStamp(stamp));
    check!(-1, profiling.aclprofMark(stamp));
    assert!(text().contains("does not exist: it is NULL, or was destroyed"));
    call!(profiling.aclprofDestroyStamp(ptr::null_mut()));
    check!(profiling.aclprofStop(config));
    check!(profiling.aclprofFinalize());
    check!(profiling.aclprofDestroyConfig(config));
    check!(stream.aclrtDestroyStream(s));
    check!(device.aclrtResetDevice(0));
    assert_eq!(take_results(&folder).len(), 2);
}

#[test]
fn each_side_of_a_step_is_recorded_once() {
    let _serial = start();
    check!(device.aclrtSetDevice(0));
    let s = stream();
    let step = call!(profiling.aclprofCreateStepInfo());
    let at = |step, tag, stream| call!(profiling.aclprofGetStepTimestamp(step, tag, stream));
    assert_eq!(at(ptr::null_mut(), ACL_STEP_START, s), 100000);
    assert_eq!(at(step, ACL_STEP_START, s), 0);
    assert_eq!(at(step, ACL_STEP_START, s), 100000);
    assert!(text().contains("the step has its start already"));
    let garbage = ptr::without_provenance_mut(8);
    assert_eq!(at(step, ACL_STEP_END, garbage), ACL_ERROR_GE_FAILURE);
    assert_eq!(at(step, ACL_STEP_END, s), 100000);
    check!(stream.aclrtSynchronizeStream(s));
    call!(profiling.aclprofDestroyStepInfo(step));
    assert_eq!(at(step, ACL_STEP_END, s), 100000);
    check!(stream.aclrtDestroyStream(s));
    check!(device.aclrtResetDevice(0));
}

#[test]
fn an_operator_of_the_program_is_pushed_before_it_is_popped() {
    let _serial = start();
    check!(100000, profiling.aclprofRangePop());
    check!(100000, profiling.aclprofRangePushEx(ptr::null_mut()));
    let mut attributes = aclprofEventAttributes {
        version: ACL_PROF_EVENT_ATTR_VERSION,
        size: 16,
        messageType: 1,
        message: aclprofEventMessage {
            tensorInfo: ptr::null_mut(),
        },
    };
    check!(-1, profiling.aclprofRangePushEx(&mut attributes));
    attributes.messageType = ACL_PROF_MESSAGE_TYPE_TENSOR_INFO.0;
    check!(100000, profiling.aclprofRangePushEx(&mut attributes));
    let id = |text: *const c_char| call!(profiling.aclprofStr2Id(text));
    assert_eq!(id(ptr::null()), 0);
    assert_eq!(id(c"Add".as_ptr()), id(c"Add".as_ptr()));
    assert_ne!(id(c"Add".as_ptr()), id(c"Sub".as_ptr()));
}

#[test]
fn data_about_the_operators_of_a_model_is_refused() {
    let _serial = start();
    let create = call!(profiling.aclprofCreateSubscribeConfig(1, ACL_AICORE_NONE, ptr::null_mut()));
    assert!(create.is_null());
    assert!(text().contains("the emulator has no data about the operators inside of a model"));
    let mut size = 0;
    check!(207000, profiling.aclprofGetOpDescSize(&mut size));
    check!(207000, profiling.aclprofModelSubscribe(1, ptr::null()));
    let none: *const std::ffi::c_void = ptr::null();
    assert_eq!(call!(profiling.aclprofGetOpStart(none, 0, 0)), 0);
    let flag = call!(profiling.aclprofGetOpFlag(none, 0, 0));
    assert_eq!(flag, ACL_SUBSCRIBE_NONE);
}
