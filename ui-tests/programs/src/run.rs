//! What the compiler accepts runs on the emulator under its checker, each program in a process of its own.

use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{io, thread};

/// One way to run a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Setting {
    pub(crate) schedule: String,
    /// Faults of the emulator; empty for none.
    pub(crate) faults: String,
    pub(crate) fault_seed: u64,
    /// The place where the program stops early.
    pub(crate) stops: Option<usize>,
    /// The seconds that ranks wait for each other; `None` for longer than a run takes.
    pub(crate) rank_timeout: Option<&'static str>,
    /// Each rank is a process.
    pub(crate) has_processes: bool,
    /// The product has counters.
    pub(crate) has_counters: bool,
    /// The milliseconds of each limit; then waits exceed it as soon as their work cannot go on.
    pub(crate) limit: Option<u32>,
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum End {
    Done,
    /// The program has returned an error.
    Error(String),
    /// The checker has found that something was never released, that results of failed work were used, or that ranks do not
    /// belong together, and nothing else. The first are the kinds of the findings.
    Known(Vec<&'static str>, String),
    /// The process has ended itself, because a device may still use memory that was borrowed.
    GaveUp(String),
    /// The checker has found something, or the program has crashed or hung.
    Wrong(String),
}

/// The faults with which programs run, one set after the other.
const FAULTS: [&str; 10] = [
    "task:aclrtMemcpyAsync%30=507001,task:aclrtLaunchKernelWithHostArgs%30=507015,aclmdlRIExecuteAsync%15=107000",
    "aclrtSynchronizeStream%25=507001,aclmdlRICaptureTaskGrpEnd%25=107000,aclmdlRICaptureTaskUpdateEnd%25=107000",
    "aclrtMalloc%25=207001,aclrtMemPoolMallocAsync%20=207001,aclrtBinaryLoadFromData%20=207001,aclmdlRICaptureBegin%25=207008",
    "aclrtRecordEvent%25=207001,aclrtStreamWaitEvent%25=207001,aclmdlRICaptureEnd%20=107033",
    "aclrtMemcpyAsync%25=107000,aclrtLaunchHostFunc%25=507899,aclrtLaunchKernelWithHostArgs%25=107000",
    "aclrtCreateStream%25=207008,aclrtDestroyStream%25=107017,aclmdlRIDestroy%30=107000",
    "aclrtFree%25=107000,aclrtMemPoolFreeAsync%25=107000,aclrtMemPoolDestroy%30=107000,aclrtDestroyEvent%25=107017,aclrtFreeHost%25=107000,aclrtBinaryUnLoad%30=107000",
    "task:HcclAllReduce%30=507018,task:HcclBatchSendRecv%30=507018,HcclAllGather%30=4,HcclBroadcast%30=4",
    "HcclCommInitRootInfo%20=4,HcclAllReduce%20=4,HcclBatchSendRecv%20=4,HcclCommDestroy%30=4,HcclSend%30=4",
    "task:aclrtMemsetAsync%30=507001,aclrtSynchronizeEvent%25=507001,aclrtSynchronizeDevice%25=507001",
];

/// The seconds that ranks wait for each other in a run where one of them is expected to fail. Where it is too short, a rank
/// more fails.
pub(crate) const RANK_TIMEOUT: &str = "0.3";

/// The seconds that ranks wait for each other where each is a process. A process of its own ends the wait if the program
/// hangs.
const PROCESS_TIMEOUT: &str = "20";

/// The way in which a program runs whose ranks are processes.
pub(crate) fn of_processes(seed: u64) -> Setting {
    Setting {
        schedule: format!("seeded:{}", seed % 1000),
        rank_timeout: Some(PROCESS_TIMEOUT),
        has_processes: true,
        ..Setting::default()
    }
}

/// The ways in which a program with so many places to stop runs.
pub(crate) fn settings(seed: u64, stops: usize) -> Vec<Setting> {
    let plain = |schedule: String| Setting {
        schedule,
        ..Setting::default()
    };
    let mut all = vec![
        plain("eager".into()),
        plain("lazy".into()),
        plain(format!("seeded:{}", seed % 1000)),
    ];
    for turn in 0..2 {
        let number = seed.wrapping_add(turn * 3);
        let index = usize::try_from(number % 10).unwrap_or(0);
        let schedule = if turn == 0 {
            "lazy".into()
        } else {
            format!("seeded:{}", number % 1000)
        };
        all.push(Setting {
            faults: FAULTS.get(index).copied().unwrap_or_default().to_owned(),
            fault_seed: number % 100_000,
            ..plain(schedule)
        });
    }
    for place in 0..stops.min(2) {
        all.push(Setting {
            stops: Some(place),
            ..plain("lazy".into())
        });
    }
    all
}

/// Runs a program of the package.
pub(crate) fn run(program: &Path, number: usize, setting: &Setting) -> End {
    let mut command = Command::new(program);
    command
        .arg(number.to_string())
        .env_clear()
        .env("ASCENDCL_BACKEND", "emulator")
        .env("ASCENDCL_EMULATOR_DEVICES", "3")
        .env("ASCENDCL_EMULATOR_CHECK", "leaks")
        .env("ASCENDCL_EMULATOR_SCHEDULE", &setting.schedule)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    if !setting.faults.is_empty() {
        command
            .env("ASCENDCL_EMULATOR_FAULTS", &setting.faults)
            .env(
                "ASCENDCL_EMULATOR_FAULT_SEED",
                setting.fault_seed.to_string(),
            );
    }
    if let Some(seconds) = setting.rank_timeout {
        command.env("ASCENDCL_EMULATOR_RANK_TIMEOUT", seconds);
    }
    if let Some(millis) = setting.limit {
        command
            .env("PROGRAM_LIMIT", millis.to_string())
            .env("ASCENDCL_EMULATOR_CLOCK", "still");
    }
    if setting.has_counters {
        command.env("ASCENDCL_EMULATOR_SOC", "Ascend950PR_9599");
    }
    if setting.has_processes {
        command.env("PROGRAM_PROCESSES", "1");
    }
    if let Some(place) = setting.stops {
        command.env("PROGRAM_STOPS", place.to_string());
    }
    match command.spawn().and_then(finish) {
        Ok(end) => end,
        Err(error) => End::Wrong(format!("cannot run the program: {error}")),
    }
}

/// The time after which a program hangs. A program takes milliseconds.
const LIMIT: Duration = Duration::from_secs(60);

fn finish(mut child: Child) -> io::Result<End> {
    // The output of a program fits into the pipe, or a thread reads it meanwhile.
    let said = child
        .stderr
        .take()
        .map(|stderr| thread::spawn(move || io::read_to_string(stderr)));
    let status = wait(child, LIMIT)?;
    let said = said
        .and_then(|reader| reader.join().ok())
        .and_then(Result::ok)
        .unwrap_or_default();
    Ok(match status {
        None => End::Wrong(format!("the program hangs\n{said}")),
        Some(status) => match status.code() {
            Some(0) => End::Done,
            Some(3) => End::Error(said),
            None if said.contains(GIVES_UP) => End::GaveUp(said),
            code => match known(&said) {
                Some(kinds) if code == Some(66) => End::Known(kinds, said),
                _ => End::Wrong(format!("the program ends with {status}\n{said}")),
            },
        },
    })
}

/// Waits for a process; `None` if it reached the limit and was ended.
pub fn wait(mut child: Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// The last words of a process that ends itself.
const GIVES_UP: &str = "ascendcl: the process is aborted, because a device may still use memory";
/// What a program says if it has counted leaks or failed releases.
pub(crate) const COUNTS: &str = "the program counts";

/// The finding that something was never released.
pub(crate) const LEAK: &str = "[leak]";
/// The finding that the result of a failed task was used.
pub(crate) const FAILED: &str = "[failed-result]";
/// The findings of ranks whose operations do not belong together.
pub(crate) const RANKS: [&str; 3] = ["[ranks-disagree]", "[rank-missing]", "[circular-wait]"];

/// The kinds of all findings, if a program can have them without a mistake of the API.
fn known(said: &str) -> Option<Vec<&'static str>> {
    let is_finding = |line: &&str| line.starts_with("ascendcl-emulator: ") && line.ends_with(']');
    let kind = |line: &str| {
        let mut all = [LEAK, FAILED].into_iter().chain(RANKS);
        all.find(|kind| line.ends_with(kind))
    };
    let kinds: Option<Vec<_>> = said.lines().filter(is_finding).map(kind).collect();
    kinds.filter(|kinds| !kinds.is_empty())
}

/// Does all tasks, on all processors. Some programs sleep until a host function is called, so there are more threads.
pub fn on_all_processors<T: Sync, R: Send>(tasks: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    let threads = 3 * thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(task) = tasks.get(index) else {
                        break;
                    };
                    let result = work(task);
                    let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
                    results.push((index, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::{LEAK, known, on_all_processors, settings};

    #[test]
    fn a_leak_beside_another_finding_is_not_known() {
        let leak = "ascendcl-emulator: something was never released [leak]\n";
        let other =
            "ascendcl-emulator: memory was freed while queued work used it [freed-in-use]\n";
        assert_eq!(known(leak), Some(vec![LEAK]));
        assert_eq!(known(&[leak, other].concat()), None);
        assert_eq!(known("a panic\n"), None);
    }

    #[test]
    fn a_program_runs_in_every_order_with_faults_and_stops() {
        let all = settings(7, 1);
        assert_eq!(
            all.iter()
                .filter(|setting| setting.faults.is_empty())
                .count(),
            4
        );
        assert_eq!(
            all.iter()
                .filter(|setting| setting.stops == Some(0))
                .count(),
            1
        );
        let schedules: Vec<_> = all
            .iter()
            .map(|setting| setting.schedule.as_str())
            .collect();
        assert_eq!(schedules.get(..3), Some(&["eager", "lazy", "seeded:7"][..]));
    }

    #[test]
    fn results_are_in_the_order_of_the_tasks() {
        let tasks: Vec<usize> = (0..100).collect();
        assert_eq!(
            on_all_processors(&tasks, |task| task + 1),
            (1..101).collect::<Vec<_>>()
        );
    }
}
