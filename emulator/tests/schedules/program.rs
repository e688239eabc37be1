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
/// The bytes of a cell.
const CELL: usize = 64;

/// Whether a program has its necessary waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Waits {
    Kept,
    LeftOut,
}

/// The way in which a program runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// Its calls queue its tasks.
    Direct,
    /// Its calls are captured, and the instance runs [`RUNS`] times.
    Captured,
    /// Its calls are captured, the instance runs [`RUNS`] times, and some tasks are conditional.
    Conditional,
}

/// All styles.
pub(crate) const STYLES: [Style; 3] = [Style::Direct, Style::Captured, Style::Conditional];

impl Style {
    /// Returns the name of the style for a child process.
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

/// The number of runs of a captured program.
const RUNS: usize = 3;

/// A generator of pseudo-random numbers (xorshift).
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

/// The known order of the tasks: for each stream, its position behind each other stream.
#[derive(Default)]
struct Order {
    /// The number of tasks of each stream so far.
    tasks: [usize; STREAMS],
    /// `seen[s][t]`: the number of tasks of t that are complete when the next task of s runs.
    seen: [[usize; STREAMS]; STREAMS],
    /// For each cell, the task that wrote it last and the tasks that read it since.
    users: [Vec<(usize, usize, bool)>; CELLS],
}

impl Order {
    /// Returns the streams for which `stream` has to wait before it uses a cell.
    fn missing(&self, stream: usize, cell: usize, write: bool) -> Vec<usize> {
        self.users[cell]
            .iter()
            .filter(|(_, _, wrote)| write || *wrote)
            .filter(|(other, task, _)| *other != stream && self.seen[stream][*other] < *task)
            .map(|(other, ..)| *other)
            .collect()
    }

    /// Notes that `stream` waits for all tasks of `other` so far.
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

/// A program while it is generated.
struct Program {
    waits: Waits,
    style: Style,
    streams: [aclrtStream; STREAMS],
    /// The streams that are captured into branches.
    inner: [aclrtStream; 2],
    events: [aclrtEvent; EVENTS],
    cells: [*mut c_void; CELLS],
    order: Order,
    /// The effects of the calls on the cells, in order.
    steps: Vec<Step>,
}

/// The effect of a call on the cells.
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

/// The number of values; the first byte of a cell selects the branch of a conditional task.
const CHOICES: usize = 4;

/// The effect of a conditional task on a cell. The value of another cell selects it.
#[derive(Clone, Copy)]
enum Choice {
    /// Fills the cell with a value, or with the next value if the other cell is 0.
    If,
    /// Fills the cell with a value, unless the other cell is 0.
    While,
    /// Fills the cell with the first, second or third value from `value` on; does nothing for larger numbers.
    Switch,
}

impl Choice {
    /// Returns the new value of the cell, if it changes.
    fn chosen(self, by: u8, value: u8) -> Option<u8> {
        match self {
            Choice::If => Some(value + u8::from(by == 0)),
            Choice::While => (by != 0).then_some(value),
            Choice::Switch => (by < 3).then_some(value + by),
        }
    }
}

/// Runs a program. Returns the final values of the cells, and their expected values.
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

    /// Captures a conditional task. The value of `by` at the time of the run selects its branch.
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

    /// Captures a fill into each branch; the values increase by one.
    fn capture_fills<const N: usize>(&self, branches: [aclmdlRI; N], to: *mut c_void, first: u8) {
        let inner = self.inner[0];
        for (branch, value) in branches.into_iter().zip(i32::from(first)..) {
            fork(branch, inner, || {
                check!(memory.aclrtMemsetAsync(to, CELL, value, CELL, inner));
            });
        }
    }

    /// Captures the only round of a WHILE: a fill and, behind it on another stream, the end of the loop.
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

    /// Adds the waits that a stream needs before it uses a cell.
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
        check!(graph.aclmdlRICaptureBegin(first, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
        check!(event.aclrtRecordEvent(event, first));
        for other in &self.streams[1..] {
            check!(event.aclrtStreamWaitEvent(*other, event));
        }
    }

    /// Joins the streams back, and runs the instance alternately on two of them.
    fn end_capture(&self) {
        let (first, event) = (self.streams[0], self.events[0]);
        for other in &self.streams[1..] {
            check!(event.aclrtRecordEvent(event, *other));
            check!(event.aclrtStreamWaitEvent(first, event));
        }
        let mut instance = ptr::null_mut();
        check!(graph.aclmdlRICaptureEnd(first, &mut instance));
        for run in 0..RUNS {
            check!(graph.aclmdlRIExecuteAsync(instance, self.streams[run % 2]));
        }
        check!(stream.aclrtSynchronizeStream(self.streams[(RUNS - 1) % 2]));
        check!(graph.aclmdlRIDestroy(instance));
    }

    /// Returns the values of the cells after these runs, and the expected values.
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
