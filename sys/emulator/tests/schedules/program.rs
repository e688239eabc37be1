//! A random program, the waits that it needs, and what it has to compute.

#![expect(
    clippy::indexing_slicing,
    reason = "the numbers of streams, cells and events are drawn below their count"
)]

use std::ffi::c_void;
use std::ptr;

use ascendcl_sys::*;

use super::common::{copy_async, download, event_ex, malloc, stream, text, upload};

const STREAMS: usize = 4;
const CELLS: usize = 6;
const EVENTS: usize = 3;
const CALLS: usize = 40;
/// Bytes of a cell.
const CELL: usize = 64;

/// Whether a program waits where it has to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Waits {
    Kept,
    LeftOut,
}

/// How a program comes to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// Its calls queue its tasks.
    Direct,
    /// Its calls are captured, and the instance runs as often as [`RUNS`] says.
    Captured,
}

/// How often a captured program runs.
const RUNS: usize = 3;

/// Numbers that follow from a seed (xorshift).
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Numbers {
        Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, len: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 32) % len as u64) as usize
    }
}

/// What is known about the order of the tasks: of each stream, how far it follows each other one.
#[derive(Default)]
struct Order {
    /// Tasks of each stream so far.
    tasks: [usize; STREAMS],
    /// `seen[s][t]`: tasks of t that are over when the next task of s runs.
    seen: [[usize; STREAMS]; STREAMS],
    /// Per cell, the task that wrote it last and those that read it since.
    users: [Vec<(usize, usize, bool)>; CELLS],
}

impl Order {
    /// The streams that `stream` has to wait for before it uses a cell.
    fn missing(&self, stream: usize, cell: usize, write: bool) -> Vec<usize> {
        self.users[cell]
            .iter()
            .filter(|(_, _, wrote)| write || *wrote)
            .filter(|(other, task, _)| *other != stream && self.seen[stream][*other] < *task)
            .map(|(other, ..)| *other)
            .collect()
    }

    /// `stream` waits for all that `other` has been given so far.
    fn wait(&mut self, stream: usize, other: usize) {
        let (seen, tasks) = (self.seen[other], self.tasks[other]);
        for (mine, theirs) in self.seen[stream].iter_mut().zip(seen) {
            *mine = (*mine).max(theirs);
        }
        self.seen[stream][other] = tasks;
    }

    fn used(&mut self, stream: usize, cell: usize, write: bool) {
        if write {
            self.users[cell].clear();
        }
        self.users[cell].push((stream, self.tasks[stream], write));
    }
}

/// A program on its way.
struct Program {
    waits: Waits,
    streams: [aclrtStream; STREAMS],
    events: [aclrtEvent; EVENTS],
    cells: [*mut c_void; CELLS],
    order: Order,
    /// What the calls do to the cells, one after the other.
    steps: Vec<Step>,
}

/// What a call does to the cells.
enum Step {
    Fill { to: usize, value: u8 },
    Copy { to: usize, from: usize },
}

/// Runs a program; gives what the cells hold at its end, and what they have to.
pub(crate) fn run(numbers: &mut Numbers, waits: Waits, style: Style) -> (Vec<u8>, Vec<u8>) {
    let mut program = Program {
        waits,
        streams: std::array::from_fn(|_| stream()),
        events: std::array::from_fn(|_| event_ex(ACL_EVENT_SYNC)),
        cells: std::array::from_fn(|_| malloc(CELL)),
        order: Order::default(),
        steps: Vec::new(),
    };
    for cell in program.cells {
        upload(cell, &[0; CELL]);
    }
    if style == Style::Captured {
        program.begin_capture();
    }
    for _ in 0..CALLS {
        program.call(numbers);
    }
    match style {
        Style::Direct => program.end(1),
        Style::Captured => {
            program.end_capture();
            program.end(RUNS)
        }
    }
}

impl Program {
    fn call(&mut self, numbers: &mut Numbers) {
        let (stream, to, from) = (
            numbers.below(STREAMS),
            numbers.below(CELLS),
            numbers.below(CELLS),
        );
        match numbers.below(8) {
            0..=2 => {
                self.order_use(numbers, stream, to, true);
                let value = numbers.below(256) as u8;
                self.order.tasks[stream] += 1;
                self.order.used(stream, to, true);
                self.steps.push(Step::Fill { to, value });
                check!(memory.aclrtMemsetAsync(
                    self.cells[to],
                    CELL,
                    value.into(),
                    CELL,
                    self.streams[stream]
                ));
            }
            3..=5 if to != from => {
                self.order_use(numbers, stream, to, true);
                self.order_use(numbers, stream, from, false);
                self.order.tasks[stream] += 1;
                self.order.used(stream, from, false);
                self.order.used(stream, to, true);
                self.steps.push(Step::Copy { to, from });
                let (to, from) = (self.cells[to], self.cells[from]);
                assert_eq!(
                    copy_async(to, from, CELL, self.streams[stream]),
                    0,
                    "{}",
                    text()
                );
            }
            6 => {
                let event = numbers.below(EVENTS);
                check!(event.aclrtDestroyEvent(self.events[event]));
                self.events[event] = event_ex(ACL_EVENT_SYNC);
            }
            _ => {
                let other = numbers.below(STREAMS);
                self.wait(numbers, stream, other);
            }
        }
    }

    /// Makes a stream wait for what it needs before it uses a cell.
    fn order_use(&mut self, numbers: &mut Numbers, stream: usize, cell: usize, write: bool) {
        for other in self.order.missing(stream, cell, write) {
            self.wait(numbers, stream, other);
        }
    }

    fn wait(&mut self, numbers: &mut Numbers, stream: usize, other: usize) {
        let event = self.events[numbers.below(EVENTS)];
        self.order.wait(stream, other);
        if self.waits == Waits::Kept {
            check!(event.aclrtRecordEvent(event, self.streams[other]));
            check!(event.aclrtStreamWaitEvent(self.streams[stream], event));
        }
    }

    /// Captures all streams: the others join the first.
    fn begin_capture(&self) {
        let (first, event) = (self.streams[0], self.events[0]);
        check!(model.aclmdlRICaptureBegin(first, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
        check!(event.aclrtRecordEvent(event, first));
        for other in &self.streams[1..] {
            check!(event.aclrtStreamWaitEvent(*other, event));
        }
    }

    /// Joins the streams back, and runs what was captured on two of them in turn.
    fn end_capture(&self) {
        let (first, event) = (self.streams[0], self.events[0]);
        for other in &self.streams[1..] {
            check!(event.aclrtRecordEvent(event, *other));
            check!(event.aclrtStreamWaitEvent(first, event));
        }
        let mut instance = ptr::null_mut();
        check!(model.aclmdlRICaptureEnd(first, &mut instance));
        for run in 0..RUNS {
            check!(model.aclmdlRIExecuteAsync(instance, self.streams[run % 2]));
        }
        check!(model.aclmdlRIDestroy(instance));
    }

    /// The cells after these runs, and what they have to be.
    fn end(self, runs: usize) -> (Vec<u8>, Vec<u8>) {
        for stream in self.streams {
            check!(stream.aclrtSynchronizeStream(stream));
            check!(stream.aclrtDestroyStream(stream));
        }
        for event in self.events {
            check!(event.aclrtDestroyEvent(event));
        }
        let mut result = Vec::new();
        let mut expected = Vec::new();
        let mut oracle = [0; CELLS];
        for step in (0..runs).flat_map(|_| &self.steps) {
            match *step {
                Step::Fill { to, value } => oracle[to] = value,
                Step::Copy { to, from } => oracle[to] = oracle[from],
            }
        }
        for (cell, value) in self.cells.into_iter().zip(oracle) {
            result.extend(download(cell, CELL));
            expected.extend([value; CELL]);
            check!(memory.aclrtFree(cell));
        }
        (result, expected)
    }
}
