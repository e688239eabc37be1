//! A random program, the waits that it needs, and its expected results.

#![expect(
    clippy::indexing_slicing,
    reason = "the numbers of streams, cells and events are drawn below their count"
)]

use std::ffi::c_void;
use std::ptr;

use ascendcl_sys::*;

use super::common::condition::{
    IF, OWN, SWITCH, WHILE, captured, condition, conditional, fork, value_of,
};
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
    /// The same, and some of its tasks are conditional.
    Conditional,
}

/// All of them.
pub(crate) const STYLES: [Style; 3] = [Style::Direct, Style::Captured, Style::Conditional];

impl Style {
    /// What a child is told.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Style::Direct => "direct",
            Style::Captured => "captured",
            Style::Conditional => "conditional",
        }
    }

    fn is_captured(self) -> bool {
        self != Style::Direct
    }
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
    style: Style,
    streams: [aclrtStream; STREAMS],
    /// Those of which branches are captured.
    inner: [aclrtStream; 2],
    events: [aclrtEvent; EVENTS],
    cells: [*mut c_void; CELLS],
    order: Order,
    /// What the calls do to the cells, one after the other.
    steps: Vec<Step>,
}

/// What a call does to the cells.
enum Step {
    Fill {
        to: usize,
        value: u8,
    },
    Copy {
        to: usize,
        from: usize,
    },
    Choose {
        to: usize,
        by: usize,
        choice: Choice,
        value: u8,
    },
}

/// Values of cells, where the first byte of one decides what a conditional task does.
const CHOICES: usize = 4;

/// What a conditional task does to a cell, by the value of another one.
#[derive(Clone, Copy)]
enum Choice {
    /// Fills it with a value, or with the next one if that of the other is 0.
    If,
    /// Fills it with a value, unless that of the other is 0.
    While,
    /// Fills it with the first, second or third value from one on; above that it does nothing.
    Switch,
}

impl Choice {
    /// What the cell gets, if anything.
    fn chosen(self, by: u8, value: u8) -> Option<u8> {
        match self {
            Choice::If => Some(value + u8::from(by == 0)),
            Choice::While => (by != 0).then_some(value),
            Choice::Switch => (by < 3).then_some(value + by),
        }
    }
}

/// Runs a program; gives what the cells hold at its end, and what they have to.
pub(crate) fn run(numbers: &mut Numbers, waits: Waits, style: Style) -> (Vec<u8>, Vec<u8>) {
    let mut program = Program {
        waits,
        style,
        streams: std::array::from_fn(|_| stream()),
        inner: std::array::from_fn(|_| stream()),
        events: std::array::from_fn(|_| event_ex(ACL_EVENT_SYNC)),
        cells: std::array::from_fn(|_| malloc(CELL)),
        order: Order::default(),
        steps: Vec::new(),
    };
    for cell in program.cells {
        upload(cell, &[0; CELL]);
    }
    if style.is_captured() {
        program.begin_capture();
    }
    for _ in 0..CALLS {
        program.call(numbers);
    }
    if style.is_captured() {
        program.end_capture();
        program.end(RUNS)
    } else {
        program.end(1)
    }
}

impl Program {
    fn call(&mut self, numbers: &mut Numbers) {
        let (stream, to, from) = (
            numbers.below(STREAMS),
            numbers.below(CELLS),
            numbers.below(CELLS),
        );
        let call = numbers.below(8);
        if self.style == Style::Conditional && call % 2 == 1 && to != from {
            return self.choose(numbers, stream, to, from);
        }
        match call {
            0..=2 => {
                self.order_use(numbers, stream, to, true);
                let values = match self.style {
                    Style::Conditional => CHOICES,
                    _ => 256,
                };
                let value = numbers.below(values) as u8;
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

    /// Captures a conditional task that decides by what `by` holds when it runs.
    fn choose(&mut self, numbers: &mut Numbers, stream: usize, to: usize, by: usize) {
        self.order_use(numbers, stream, to, true);
        self.order_use(numbers, stream, by, false);
        self.order.tasks[stream] += 1;
        self.order.used(stream, by, false);
        self.order.used(stream, to, true);
        let choice = [Choice::If, Choice::While, Choice::Switch][numbers.below(3)];
        let value = numbers.below(2) as u8;
        self.steps.push(Step::Choose {
            to,
            by,
            choice,
            value,
        });
        let (outer, to, by) = (self.streams[stream], self.cells[to], self.cells[by]);
        let condition = condition(captured(outer), 0, OWN);
        let decides = value_of(condition);
        // The other bytes of the value stay 0.
        assert_eq!(copy_async(decides, by, 1, outer), 0, "{}", text());
        match choice {
            Choice::If => {
                let branches = conditional::<2>(condition, IF, outer);
                self.capture_fills(branches, to, value);
            }
            Choice::Switch => {
                let branches = conditional::<3>(condition, SWITCH, outer);
                self.capture_fills(branches, to, value);
            }
            Choice::While => {
                let [body] = conditional(condition, WHILE, outer);
                self.capture_round(body, to, value, decides);
            }
        }
    }

    /// Captures a fill into each branch, with one value after the other.
    fn capture_fills<const N: usize>(&self, branches: [aclmdlRI; N], to: *mut c_void, first: u8) {
        let inner = self.inner[0];
        for (branch, value) in branches.into_iter().zip(i32::from(first)..) {
            fork(branch, inner, || {
                check!(memory.aclrtMemsetAsync(to, CELL, value, CELL, inner));
            });
        }
    }

    /// Captures the one round of a WHILE: a fill, and behind it, on another stream, the end.
    fn capture_round(&self, body: aclmdlRI, to: *mut c_void, value: u8, decides: *mut c_void) {
        let ([one, two], event) = (self.inner, event_ex(ACL_EVENT_SYNC));
        fork(body, one, || {
            check!(memory.aclrtMemsetAsync(to, CELL, value.into(), CELL, one));
            check!(event.aclrtRecordEvent(event, one));
            check!(event.aclrtStreamWaitEvent(two, event));
            check!(memory.aclrtMemsetAsync(decides, 8, 0, 8, two));
            check!(event.aclrtRecordEvent(event, two));
            check!(event.aclrtStreamWaitEvent(one, event));
        });
        check!(event.aclrtDestroyEvent(event));
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
        for stream in self.streams.into_iter().chain(self.inner) {
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
                Step::Choose {
                    to,
                    by,
                    choice,
                    value,
                } => oracle[to] = choice.chosen(oracle[by], value).unwrap_or(oracle[to]),
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
