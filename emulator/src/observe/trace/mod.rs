//! The timeline: calls by thread, tasks by device and stream, and arrows from records to waits.
//!
//! The timeline is stored in memory. When the process ends, it is written in the format of trace viewers
//! (`chrome://tracing`, Perfetto). If it is off, it costs one branch for each task, which it shares with the checker
//! and the faults (`watch.rs`). Only observed tables ([`crate::api`]) record calls.
//!
//! The profiler has a timeline of its own (`profile.rs`), which the program starts and stops.

mod chrome;
pub(crate) mod profile;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Instant;
use std::{fs, process};

use ascendcl_sys::aclError;

use crate::config::EmulatorConfig;
use crate::observe::calls;
use crate::ordered::Numbers;
use crate::sync::{Mutex, lock};

/// Maximum number of stored calls and tasks; it bounds the memory of a program that runs for hours.
const KEPT: usize = 1_000_000;

/// Whether there is a timeline of the process or of the profiler.
static ON: AtomicBool = AtomicBool::new(false);
static TRACE: Mutex<Option<Trace>> = Mutex::new(None);
/// The zero of the time axis.
static ORIGIN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// The timeline of the process.
#[derive(Debug)]
struct Trace {
    file: PathBuf,
    timeline: Timeline,
}

#[derive(Debug, Default)]
struct Timeline {
    calls: Vec<Call>,
    tasks: Vec<Task>,
    /// The stamps of the program.
    stamps: Vec<Stamp>,
    lanes: Vec<Lane>,
    /// The lanes by the addresses of the streams' slots.
    by_slot: Numbers,
    dropped: u64,
}

/// A call of the program.
#[derive(Debug)]
struct Call {
    name: &'static str,
    thread: Arc<str>,
    span: Span,
    code: Option<aclError>,
}

/// A task that ran.
#[derive(Debug)]
struct Task {
    name: &'static str,
    lane: usize,
    number: u64,
    span: Span,
    failed: bool,
    /// The record that the task waited for: lane and number.
    after: Option<(usize, u64)>,
}

/// An event that the program named for the profiler.
#[derive(Debug)]
struct Stamp {
    text: String,
    form: Form,
    thread: Arc<str>,
    span: Span,
}

/// What a stamp marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// A point in time.
    Instant,
    /// A span of the thread, which lies within the spans around it.
    Span,
    /// A span that begins and ends in any threads.
    Range,
}

/// A row of the timeline, with the tasks of one stream.
#[derive(Debug)]
struct Lane {
    device: u32,
    is_default: bool,
}

/// Nanoseconds since the origin.
#[derive(Debug, Clone, Copy)]
struct Span {
    start: u64,
    end: u64,
}

/// A stream, identified by a number that is the same for all streams that use its slot.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Track {
    pub(crate) stream: usize,
    pub(crate) device: u32,
    pub(crate) is_default: bool,
}

/// The start time of a call or task.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Start(u64);

fn now() -> u64 {
    u64::try_from(ORIGIN.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

/// Switches the timeline on, if the configuration asks for it. If the file cannot be written, the program ends.
pub(crate) fn start(config: &EmulatorConfig) {
    let Some(path) = &config.trace else {
        return;
    };
    let name = path.to_string_lossy();
    let file = PathBuf::from(name.replace("%p", &process::id().to_string()));
    if let Err(error) = fs::write(&file, "") {
        say(&format!(
            "the trace {} cannot be written: {error}",
            file.display()
        ));
        process::exit(2);
    }
    *lock(&TRACE) = Some(Trace {
        file,
        timeline: Timeline::default(),
    });
    LazyLock::force(&ORIGIN);
    ON.store(true, Ordering::Release);
}

/// Returns the present time, if there is a timeline.
#[inline]
pub(crate) fn begin() -> Option<Start> {
    ON.load(Ordering::Relaxed).then(|| Start(now()))
}

/// Records a call that ends now.
pub(crate) fn call(name: &'static str, start: Start, code: Option<aclError>) {
    let call = Call {
        name,
        thread: calls::thread(),
        span: start.until_now(),
        code,
    };
    if let Some(trace) = lock(&TRACE).as_mut() {
        trace.timeline.add(|timeline| timeline.calls.push(call));
    }
}

/// A task that ends now.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ended {
    pub(crate) name: &'static str,
    pub(crate) stream: Track,
    pub(crate) number: u64,
    pub(crate) failed: bool,
    /// The record that the task waited for: its stream and number.
    pub(crate) after: Option<(Track, u64)>,
}

/// Records a task that ends now.
pub(crate) fn task(ended: Ended, start: Start) {
    let span = start.until_now();
    if let Some(trace) = lock(&TRACE).as_mut() {
        trace.timeline.task(ended, span);
    }
    profile::task(ended, span);
}

impl Start {
    fn until_now(self) -> Span {
        Span {
            start: self.0,
            end: now(),
        }
    }
}

impl Timeline {
    /// Adds an entry, unless there are too many.
    fn add(&mut self, what: impl FnOnce(&mut Timeline)) {
        if self.calls.len() + self.tasks.len() + self.stamps.len() < KEPT {
            what(self);
        } else {
            self.dropped += 1;
        }
    }

    fn task(&mut self, ended: Ended, span: Span) {
        self.add(|timeline| {
            let lane = timeline.lane(ended.stream);
            let after = ended
                .after
                .map(|(stream, number)| (timeline.lane(stream), number));
            timeline.tasks.push(Task {
                name: ended.name,
                lane,
                number: ended.number,
                span,
                failed: ended.failed,
                after,
            });
        });
    }

    fn lane(&mut self, track: Track) -> usize {
        let Track {
            stream,
            device,
            is_default,
        } = track;
        let lanes = &mut self.lanes;
        *self.by_slot.entry(stream).or_insert_with(|| {
            lanes.push(Lane { device, is_default });
            lanes.len() - 1
        })
    }
}

/// Writes the timeline, if there is one.
pub(crate) fn end() {
    let Some(Trace { file, timeline }) = lock(&TRACE).take() else {
        return;
    };
    if let Err(error) = fs::write(&file, chrome::write(&timeline, "")) {
        say(&format!(
            "the trace {} cannot be written: {error}",
            file.display()
        ));
    }
}

#[expect(
    clippy::print_stderr,
    reason = "a program that is traced has no other place for it"
)]
fn say(text: &str) {
    eprintln!("ascendcl-emulator: {text}");
}
