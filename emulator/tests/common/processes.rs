//! Ranks of a communicator in tests: processes of the same executable.
#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a test fails by panicking, and a parent reads what a child says"
)]

use std::ops::Range;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use std::{fs, thread};

use ascendcl_emulator::{Check, EmulatorConfig, Schedule, take_findings};
use ascendcl_sys::*;

use super::ranks::*;
use super::*;

/// The variables that a process of a rank gets: its program, its number, the number of ranks, the root information.
const PROGRAM: &str = "RANKS_PROGRAM";
const RANK: &str = "RANKS_RANK";
const SIZE: &str = "RANKS_SIZE";
const ROOT: &str = "RANKS_ROOT";

/// The name of the test that runs the program of a process.
const RUNNER: &str = "the_programs";

/// Runs the program of this process, if it is the process of a rank.
pub(crate) fn run_own(programs: &[(&str, fn(Joining))]) {
    let Ok(name) = std::env::var(PROGRAM) else {
        assert!(!programs.is_empty(), "the parent names one of them");
        return;
    };
    let number = |name| std::env::var(name).ok()?.parse().ok();
    let joining = Joining {
        rank: number(RANK).expect("a rank"),
        size: number(SIZE).expect("a size"),
    };
    let schedule = match std::env::var(SCHEDULE).as_deref() {
        Ok("lazy") => Schedule::Lazy,
        Ok("seeded") => Schedule::Seeded(5),
        _ => Schedule::Eager,
    };
    let config = EmulatorConfig::default()
        .with_devices(4)
        .with_check(Check::Collect)
        .with_schedule(schedule);
    let config = match number("RANKS_LIMIT") {
        Some(seconds) => config.with_rank_timeout(Duration::from_secs(u64::from(seconds))),
        None => config,
    };
    let serial = serial(config);
    let (_, program) = programs
        .iter()
        .find(|(known, _)| *known == name)
        .expect("a program");
    program(joining);
    drop(serial);
    println!("the program is over");
}

/// A rank before it joins.
#[derive(Clone, Copy)]
pub(crate) struct Joining {
    pub(crate) rank: u32,
    pub(crate) size: u32,
}

impl Joining {
    /// Returns the root information that the parent has made.
    pub(crate) fn root(self) -> HcclRootInfo {
        let text = std::env::var(ROOT).expect("a root information");
        let mut info = HcclRootInfo {
            internal: [0; HCCL_ROOT_INFO_BYTES],
        };
        for (index, byte) in info.internal.iter_mut().enumerate() {
            let digits = text.get(index * 2..index * 2 + 2).expect("two digits");
            *byte = u8::from_str_radix(digits, 16)
                .expect("a byte")
                .cast_signed();
        }
        info
    }

    /// Takes the device of the rank into use and joins.
    pub(crate) fn try_join(self) -> Result<Rank, HcclResult> {
        self.try_join_on(self.rank)
    }

    pub(crate) fn try_join_on(self, device: u32) -> Result<Rank, HcclResult> {
        check!(device.aclrtSetDevice(i32::try_from(device).expect("a device")));
        let (info, mut comm) = (self.root(), ptr::null_mut());
        let code = hccl!(HcclCommInitRootInfo(
            self.size,
            &info,
            self.rank,
            &raw mut comm
        ));
        if code != HCCL_SUCCESS {
            return Err(code);
        }
        Ok(Rank {
            rank: self.rank,
            size: self.size,
            comm,
            stream: stream(),
        })
    }

    pub(crate) fn join(self) -> Rank {
        self.try_join()
            .unwrap_or_else(|code| unreachable!("{code:?}: {}", text()))
    }
}

impl Rank {
    /// Ends the rank, its device, and asserts that the checker found nothing but this.
    pub(crate) fn end_process(self, memory: &[*mut c_void], findings: &[&str]) {
        self.end(memory);
        for device in 0..4 {
            let _ = call!(device.aclrtResetDeviceForce(device));
        }
        expect_findings(findings);
    }
}

/// Asserts that the findings of the process contain these texts, one each.
pub(crate) fn expect_findings(expected: &[&str]) {
    let found: Vec<_> = take_findings()
        .into_iter()
        .map(|finding| finding.text)
        .collect();
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.contains(expected), "{found}");
    }
}

/// Starts a process for each of these ranks.
pub(crate) fn start(
    program: &str,
    ranks: Range<u32>,
    size: u32,
    variables: &[(&str, &str)],
) -> Vec<Child> {
    check!(device.aclrtSetDevice(0));
    let info = root();
    let root: String = info
        .internal
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let this = std::env::current_exe().expect("a test has a file");
    let start = |rank: u32| {
        let mut command = Command::new(&this);
        command.args(["--exact", RUNNER, "--nocapture"]);
        command.env(PROGRAM, program).env(ROOT, &root);
        command
            .env(RANK, rank.to_string())
            .env(SIZE, size.to_string());
        command.envs(variables.iter().copied());
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command.spawn().expect("the file can be run")
    };
    ranks.map(start).collect()
}

/// Waits for a process that succeeds.
pub(crate) fn succeed(rank: usize, child: Child) {
    if let Some(failure) = failure(rank, child) {
        unreachable!("{failure}");
    }
}

/// Waits for a process, and returns what it has said if it has failed.
fn failure(rank: usize, child: Child) -> Option<String> {
    let output = child.wait_with_output().expect("it can be waited for");
    let words = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    let is_over = output.status.success() && words.contains("the program is over");
    (!is_over).then(|| format!("rank {rank}: {}: {words}{errors}", output.status))
}

/// Runs a program with a process for each rank. All of them succeed.
pub(crate) fn run(program: &str, size: u32, variables: &[(&str, &str)]) {
    let children = start(program, 0..size, size, variables);
    let ended = children.into_iter().enumerate();
    let failures: Vec<_> = ended
        .filter_map(|(rank, child)| failure(rank, child))
        .collect();
    // The first failure makes those of the other ranks.
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Writes results anew that a failed operation should have written.
pub(crate) fn renew(memory: *mut c_void) {
    upload(memory, &1.0_f32.to_ne_bytes().repeat(8));
}

pub(crate) fn sum(rank: Rank, memory: *mut c_void, count: u64) -> HcclResult {
    let Rank { comm, stream, .. } = rank;
    hccl!(HcclAllReduce(
        memory,
        memory,
        count,
        F32,
        HCCL_REDUCE_SUM,
        comm,
        stream
    ))
}

/// Asserts that an operation succeeds, and its wait.
#[track_caller]
pub(crate) fn succeeds(rank: Rank, code: HcclResult) {
    assert_eq!((code, rank.wait()), (HCCL_SUCCESS, 0), "{}", text());
}

/// Asserts that this process has no thread and no socket of a communicator any more.
pub(crate) fn nothing_is_left() {
    // The threads end by themselves when the connections are closed.
    let mut left = String::new();
    for _ in 0..3000 {
        let threads = names("/proc/self/task", |path| {
            fs::read_to_string(path.join("comm")).unwrap_or_default()
        });
        let sockets = names("/proc/self/fd", |path| {
            let link = fs::read_link(path).unwrap_or_default();
            link.to_string_lossy().into_owned()
        });
        let threads: Vec<_> = threads
            .into_iter()
            .filter(|name| name.starts_with("ascendcl-rank") || name.starts_with("ascendcl-listen"))
            .collect();
        let sockets = sockets
            .into_iter()
            .filter(|name| name.starts_with("socket:"));
        left = format!("{threads:?} and {} sockets", sockets.count());
        if left == "[] and 0 sockets" {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    unreachable!("{left} are left");
}

fn names(folder: &str, name: impl Fn(&Path) -> String) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("Linux has it");
    entries.flatten().map(|entry| name(&entry.path())).collect()
}
