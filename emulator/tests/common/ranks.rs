//! Ranks of a communicator in tests: threads with a device each.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use std::ffi::c_void;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use ascendcl_emulator::{Check, EmulatorConfig, Schedule, take_findings};
use ascendcl_sys::*;

use super::*;

/// Makes a call of the collective table.
macro_rules! hccl {
    ($name:ident($($arg:expr),* $(,)?)) => {{
        let function = ascendcl_emulator::api().collective.$name;
        #[allow(unused_unsafe, reason = "one call may be the argument of another one")]
        // SAFETY: pointers are null or valid for what the function reads and writes, and handles are what they are.
        let answer = unsafe { function($($arg),*) };
        answer
    }};
}

/// A rank in a test: its device, its communicator and its stream.
#[derive(Clone, Copy)]
pub(crate) struct Rank {
    pub(crate) rank: u32,
    pub(crate) size: u32,
    pub(crate) comm: HcclComm,
    pub(crate) stream: aclrtStream,
}

impl Rank {
    /// Returns memory of the rank's device with these numbers.
    pub(crate) fn upload(self, numbers: &[f32]) -> *mut c_void {
        let bytes: Vec<u8> = numbers.iter().flat_map(|one| one.to_ne_bytes()).collect();
        let memory = malloc(bytes.len().max(1));
        upload(memory, &bytes);
        memory
    }

    pub(crate) fn download(self, memory: *const c_void, count: usize) -> Vec<f32> {
        let bytes = download(memory, count * 4);
        let (numbers, _) = bytes.as_chunks::<4>();
        numbers.iter().map(|one| f32::from_ne_bytes(*one)).collect()
    }

    pub(crate) fn wait(self) -> aclError {
        call!(stream.aclrtSynchronizeStream(self.stream))
    }

    pub(crate) fn end(self, memory: &[*mut c_void]) {
        for memory in memory {
            check!(memory.aclrtFree(*memory));
        }
        assert_eq!(hccl!(HcclCommDestroy(self.comm)), HCCL_SUCCESS);
        check!(stream.aclrtDestroyStream(self.stream));
    }
}

pub(crate) fn root() -> HcclRootInfo {
    let mut info = HcclRootInfo {
        internal: [0; HCCL_ROOT_INFO_BYTES],
    };
    assert_eq!(hccl!(HcclGetRootInfo(&raw mut info)), HCCL_SUCCESS);
    info
}

/// Runs `body` on a thread for each rank of a communicator.
pub(crate) fn on_ranks(size: u32, body: impl Fn(Rank) + Sync) {
    check!(device.aclrtSetDevice(0));
    let info = root();
    thread::scope(|threads| {
        for rank in 0..size {
            let (info, body) = (&info, &body);
            threads.spawn(move || {
                check!(device.aclrtSetDevice(i32::try_from(rank).expect("a device")));
                let mut comm = ptr::null_mut();
                let joined = hccl!(HcclCommInitRootInfo(size, info, rank, &raw mut comm));
                assert_eq!(joined, HCCL_SUCCESS, "{}", text());
                let stream = stream();
                body(Rank {
                    rank,
                    size,
                    comm,
                    stream,
                });
            });
        }
    });
    reset();
}

/// Names the schedule of a run of this file in a process of its own.
pub(crate) const SCHEDULE: &str = "COLLECTIVES_SCHEDULE";

/// Waits for the other tests of the file.
pub(crate) fn alone() -> Serial {
    let schedule = match std::env::var(SCHEDULE).as_deref() {
        Ok("lazy") => Schedule::Lazy,
        Ok("seeded") => Schedule::Seeded(3),
        _ => Schedule::Eager,
    };
    let config = EmulatorConfig::default()
        .with_devices(4)
        .with_check(Check::Collect)
        .with_schedule(schedule)
        .with_rank_timeout(Duration::from_secs(2));
    let serial = serial(config);
    let _ = take_findings();
    serial
}

/// Returns the devices that `serial` does not know.
pub(crate) fn reset() {
    for device in 2..4 {
        let _ = call!(device.aclrtResetDeviceForce(device));
    }
}

pub(crate) const F32: HcclDataType = HCCL_DATA_TYPE_FP32;

/// Runs the tests of this executable again, in other schedules.
pub(crate) fn again_in_other_schedules() {
    if std::env::var_os(SCHEDULE).is_some() {
        return;
    }
    // Most of their time they wait for ranks that never come, so they run at once.
    let runs = ["lazy", "seeded"].map(|schedule| {
        let this = std::env::current_exe().expect("a test has a file");
        let mut run = Command::new(this);
        run.env(SCHEDULE, schedule)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        (schedule, run.spawn().expect("the file can be run"))
    });
    for (schedule, run) in runs {
        let run = run.wait_with_output().expect("it has started");
        let text = String::from_utf8_lossy(&run.stdout);
        assert!(run.status.success(), "{schedule}: {text}");
    }
}
