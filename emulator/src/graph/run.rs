//! Runs of a graph: each run queues the tasks again.
//!
//! The stream of the call gets one task (a [`Run`]), which ends when all other tasks of the run have ended. The
//! streams of the graph begin when the tasks before this task and the previous run have ended.

use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use ascendcl_sys::{
    ACL_ERROR_RT_MODEL_ABORT_NORMAL, ACL_ERROR_RT_MODEL_CAPTURED, ACL_ERROR_RT_MODEL_EXECUTE,
    ACL_ERROR_RT_STREAM_MODEL, ACL_SUCCESS, aclError, aclmdlRI, aclrtStream,
};

use super::condition::{Condition, Defaults};
use super::step::{Step, What};
use super::{Graph, Inner, Lane, Origin, Phase, find, graphs};
use crate::check::{self, StreamSlot};
use crate::engine::engine;
use crate::engine::queue::{Blocked, Stream};
use crate::engine::submit::{self, Target, own, stale};
use crate::engine::task::{Fault, Point, Task, Waited};
use crate::engine::work::Work;
use crate::error::fail;
use crate::object_calls::{attempt, invalid_below, not_null};
use crate::results::list_of;

/// One run of a graph.
#[derive(Debug, Default)]
pub(super) struct Run {
    /// The last tasks of its streams, as soon as all tasks are queued. The run ends when they are complete.
    ends: OnceLock<Vec<Point>>,
    /// Whether the remaining tasks shall be skipped.
    given_up: AtomicBool,
    /// Whether the program aborted the run.
    pub(super) aborted: AtomicBool,
    /// The conditions that its tasks read. They must live as long as the run.
    conditions: Vec<Arc<Condition>>,
}

/// The latest run of a graph, with the run's task in the stream of the call.
#[derive(Debug)]
pub(super) struct Last {
    pub(super) run: Arc<Run>,
    pub(super) task: Point,
}

impl Run {
    /// Returns the task for which the run waits; `None` if the run has ended.
    fn open(&self) -> Option<Blocked> {
        let Some(ends) = self.ends.get() else {
            return Some(Blocked::Elsewhere);
        };
        let open = ends.iter().find(|(stream, end)| stream.completed() < *end);
        open.map(|(stream, end)| Blocked::Stream(stream, *end))
    }

    /// Makes the streams skip the tasks of the run that have not run.
    pub(super) fn give_up(&self) {
        self.given_up.store(true, Ordering::SeqCst);
        for (stream, end) in self.ends() {
            stream.abort_to(*end);
        }
    }

    /// Returns the last tasks of its streams; empty until all tasks are queued.
    fn ends(&self) -> &[Point] {
        self.ends.get().map_or(&[], Vec::as_slice)
    }

    /// Stores the last tasks of the streams, when all tasks are queued.
    fn queued(&self, ends: Vec<Point>) {
        let _ = self.ends.set(ends);
        if self.given_up.load(Ordering::SeqCst) {
            self.give_up();
        }
        engine().announce();
    }

    /// Returns the result of the run after its end.
    fn outcome(&self) -> Result<(), Fault> {
        let mut first = Ok(());
        // The errors of all streams are cleared, so that a later run does not report them.
        for (stream, _) in self.ends() {
            let code = stream.error.swap(ACL_SUCCESS, Ordering::AcqRel);
            if first.is_ok() && code != ACL_SUCCESS {
                first = Err(Fault(code));
            }
        }
        if self.aborted.load(Ordering::Relaxed) {
            return Err(Fault(ACL_ERROR_RT_MODEL_ABORT_NORMAL));
        }
        first
    }
}

impl Work for Arc<Run> {
    fn call(&self) -> &'static str {
        "aclmdlRIExecuteAsync"
    }

    fn blocked(&mut self, _: &'static Stream, _: u64) -> Option<(Blocked, Option<Instant>)> {
        self.open().map(|blocked| (blocked, None))
    }

    fn run(&mut self, _: &'static Stream, _: u64) -> Result<(), Fault> {
        self.outcome()
    }

    fn abandon(&mut self) {
        self.give_up();
    }

    fn again(&self) -> Box<dyn Work> {
        Box::new(Arc::clone(self))
    }

    fn awaited(&self) -> Option<Point> {
        self.ends().last().copied()
    }
}

pub(crate) unsafe extern "C" fn aclmdlRIExecuteAsync(
    modelRI: aclmdlRI,
    stream: aclrtStream,
) -> aclError {
    let call = "aclmdlRIExecuteAsync";
    attempt!(execute(call, modelRI, stream));
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclmdlRIExecute(modelRI: aclmdlRI, timeout: i32) -> aclError {
    let call = "aclmdlRIExecute";
    attempt!(not_null(call, "modelRI", modelRI));
    let executed = submit::deadline(call, timeout).and_then(|end| {
        find(call, modelRI)?.is_no_capture(call)?;
        let target = execute(call, modelRI, ptr::null_mut())?;
        Ok(submit::synchronise(call, target.stream, end))
    });
    executed.unwrap_or_else(|code| code)
}

impl Graph {
    /// Refuses a graph of a capture: the runtime waits for runs of graphs that are built by hand only.
    fn is_no_capture(&self, call: &str) -> Result<(), aclError> {
        if !self.is_branch && matches!(self.lock().phase, Phase::Complete(Origin::Capture)) {
            return Err(invalid_below(
                call,
                format_args!(
                    "model instance {} was captured, and ACL Graph mode is not supported; \
                     call aclmdlRIExecuteAsync, and wait for its stream",
                    self.id
                ),
            ));
        }
        Ok(())
    }
}

/// Queues a run and returns the stream to which it went.
fn execute(call: &str, modelRI: aclmdlRI, stream: aclrtStream) -> Result<Target, aclError> {
    not_null(call, "modelRI", modelRI)?;
    let found = submit::find(call, stream)?;
    let graph = find(call, modelRI)?;
    let target = own(call, found)?;
    super::not_captured(call, target)?;
    if graphs().role(target).is_some() {
        return Err(fail(
            ACL_ERROR_RT_STREAM_MODEL,
            format_args!(
                "{call} failed: the stream's tasks are stored for an instance, so it cannot run one; \
                 pass another stream"
            ),
        ));
    }
    if let Some(code) = submit::failure(call, target.stream) {
        return Err(code);
    }
    graph.is_root(
        call,
        "it runs with the instance that it belongs to, so run that one",
    )?;
    let mut inner = graph.lock();
    inner.is_complete(call, &graph)?;
    inner.start(call, modelRI, target)?;
    Ok(target)
}

impl Inner {
    fn is_complete(&self, call: &str, graph: &Graph) -> Result<(), aclError> {
        let (code, why) = match self.phase {
            Phase::Complete(_) => return Ok(()),
            Phase::Captured(_) | Phase::Branch => (
                ACL_ERROR_RT_MODEL_CAPTURED,
                "is being captured; call aclmdlRICaptureEnd first",
            ),
            Phase::Built { .. } => (
                ACL_ERROR_RT_MODEL_EXECUTE,
                "is being built; call aclmdlRIEndTask and aclmdlRIBuildEnd first",
            ),
        };
        Err(fail(
            code,
            format_args!("{call} failed: model instance {} {why}", graph.id),
        ))
    }

    /// Queues all tasks of a run; the run's own task goes to `target`.
    fn start(&mut self, call: &str, modelRI: aclmdlRI, target: Target) -> Result<(), aclError> {
        let mut conditions = Vec::new();
        self.all_conditions(&mut conditions);
        let run = Arc::new(Run {
            conditions,
            ..Run::default()
        });
        let task = |_| Task::Other(Box::new(Arc::clone(&run)));
        let Some(number) = target.stream.push(target.generation, false, task) else {
            return Err(stale(call, "stream", 0));
        };
        submit::remember(number);
        let before = (target.stream, number - 1);
        let last = self.last.replace(Last {
            run: Arc::clone(&run),
            task: (target.stream, number),
        });
        let heads = || self.lanes.iter().map(|lane| lane.runs.stream.slot());
        check::tell(call, &|checker, site| {
            checker.runs(modelRI.addr(), target.stream.slot(), number, site);
            checker.joins(told(before), heads());
            if let Some(last) = &last {
                checker.joins(told(last.task), heads());
            }
        });
        let gate: Box<[Point]> = match &last {
            Some(last) => Box::new([last.task, before]),
            None => Box::new([before]),
        };
        let mut play = Play {
            inner: self,
            gate,
            numbers: vec![0; self.steps.len()],
            started: vec![false; self.lanes.len()],
            jumps: vec![false; self.lanes.len()],
        };
        play.heads(&run.conditions);
        let started = play.started.iter().zip(&self.lanes);
        let ends: Vec<Point> = list_of(
            started
                .filter(|(started, _)| **started)
                .map(|(_, lane)| (lane.runs.stream, lane.runs.stream.submitted())),
        );
        check::note(&|checker| {
            for end in &ends {
                checker.joins(told(*end), [target.stream.slot()]);
            }
        });
        run.queued(ends);
        Ok(())
    }
}

/// Returns the checker's name of a task.
fn told((stream, number): Point) -> (StreamSlot, u64) {
    (stream.slot(), number)
}

/// A run whose tasks are being queued.
struct Play<'a> {
    inner: &'a Inner,
    /// The tasks that have to be complete before the first task of the run.
    gate: Box<[Point]>,
    /// The numbers of the queued steps in their streams.
    numbers: Vec<u64>,
    /// Whether each lane was started.
    started: Vec<bool>,
    /// Whether a jump may skip the further tasks of each lane.
    jumps: Vec<bool>,
}

impl Play<'_> {
    /// Queues the lanes that a run begins with. The order is that of submission, so that a full queue never waits for
    /// a task that is queued later.
    fn heads(&mut self, conditions: &[Arc<Condition>]) {
        for (index, lane) in self.inner.lanes.iter().enumerate() {
            if lane.is_head {
                self.begin(index, self.gate.clone());
            }
        }
        let preset = conditions
            .iter()
            .filter(|condition| condition.has_default());
        let preset: Box<[_]> = preset.cloned().collect();
        // All other streams of a capture wait for a task of the first one, so setting the defaults there is enough.
        if let Some(first) = self.inner.lanes.first().filter(|_| !preset.is_empty()) {
            push(first, false, |_| Task::Other(Box::new(Defaults(preset))));
        }
        for (index, step) in self.inner.steps.iter().enumerate() {
            if self
                .inner
                .lanes
                .get(step.lane)
                .is_some_and(|lane| lane.is_head)
            {
                self.queue(index, step);
            }
        }
    }

    /// Starts a lane, which begins when these tasks are complete.
    fn begin(&mut self, lane: usize, after: Box<[Point]>) {
        if let Some(started) = self.started.get_mut(lane) {
            *started = true;
        }
        if let Some(lane) = self.inner.lanes.get(lane) {
            push(lane, false, |_| Task::After(after));
        }
    }

    /// Queues a step.
    fn queue(&mut self, index: usize, step: &Step) {
        let Some(lane) = self.inner.lanes.get(step.lane) else {
            return;
        };
        let number = match &step.what {
            What::Task(task) => {
                let maybe = self.jumps.get(step.lane) == Some(&true);
                push(lane, step.large, |number| {
                    tell(lane, number, step, maybe);
                    again(lane, task, number)
                })
            }
            What::Operator(operator) => {
                let maybe = self.jumps.get(step.lane) == Some(&true);
                push(lane, step.large, |number| {
                    tell(lane, number, step, maybe);
                    Task::Other(operator.again())
                })
            }
            What::Condition(choice) => push(lane, step.large, |number| {
                choice.repeated(lane.runs.stream, number);
                Task::Other(choice.again())
            }),
            What::Label(_) => push(lane, false, |_| Task::Nothing),
            What::Switch(switch) => self.inner.jump(index, switch).and_then(|jump| {
                let maybe = self
                    .jumps
                    .get_mut(step.lane)
                    .is_some_and(|jumps| std::mem::replace(jumps, true));
                push(lane, false, |number| {
                    tell(lane, number, step, maybe);
                    Task::Other(Box::new(jump))
                })
            }),
            What::Mark => push(lane, false, |_| Task::Mark),
            What::After(mark) => self.point(*mark).and_then(|point| {
                check::note(&|checker| checker.joins(told(point), [lane.runs.stream.slot()]));
                push(lane, false, |_| Task::After([point].into()))
            }),
            What::Start(other) => {
                let number = push(lane, false, |_| Task::Mark);
                if let Some(number) = number {
                    self.follow(*other, (lane.runs.stream, number));
                }
                number
            }
        };
        if let (Some(slot), Some(number)) = (self.numbers.get_mut(index), number) {
            *slot = number;
        }
    }

    /// Starts a lane behind a task of another lane, unless it was started before.
    fn follow(&mut self, lane: usize, start: Point) {
        if self.started.get(lane).is_none_or(|started| *started) {
            return;
        }
        if let Some(lane) = self.inner.lanes.get(lane) {
            check::note(&|checker| checker.joins(told(start), [lane.runs.stream.slot()]));
        }
        self.begin(lane, [start].into());
        for (index, step) in self.inner.steps.iter().enumerate() {
            if step.lane == lane {
                self.queue(index, step);
            }
        }
    }

    /// Returns the task of a mark in this run.
    fn point(&self, mark: usize) -> Option<Point> {
        let lane = self.inner.lanes.get(self.inner.steps.get(mark)?.lane)?;
        Some((lane.runs.stream, *self.numbers.get(mark)?))
    }
}

/// Queues a task on a lane's stream; `None` if its context has ended meanwhile.
fn push(lane: &Lane, large: bool, make: impl FnOnce(u64) -> Task) -> Option<u64> {
    let Target {
        stream, generation, ..
    } = lane.runs;
    stream.push(generation, large, make)
}

/// Makes the task of an external wait, which is for the event's latest record at this moment.
fn wait_for_latest(on: &Waited) -> Task {
    on.event
        .latest()
        .map_or(Task::Nothing, |record| Task::Wait {
            on: on.again(),
            until: (record.stream, record.number),
        })
}

/// Reports a step to the checker as the lane's `number`th task; `maybe` means that a jump may skip it.
fn tell(lane: &Lane, number: u64, step: &Step, maybe: bool) {
    check::note(&|checker| match &step.usage {
        Some(usage) if maybe => checker.may_repeat(lane.runs.stream.slot(), number, usage),
        Some(usage) => checker.repeated(lane.runs.stream.slot(), number, usage),
        None => {}
    });
}

/// Makes the task of a run from a stored task, as the lane's `number`th task.
fn again(lane: &Lane, task: &Task, number: u64) -> Task {
    let stream = lane.runs.stream;
    match task {
        Task::Record(event) => {
            check::note(&|checker| checker.recorded(stream.slot(), number, event.handle().addr()));
            event.record(lane.runs, number);
        }
        Task::Reset(event) => {
            check::note(&|checker| {
                checker.event_reset(stream.slot(), number, event.handle().addr())
            });
        }
        Task::Other(work) => return Task::Other(work.repeat(stream, number)),
        Task::HostFunction(_) => {
            check::note(&|checker| checker.calls_program(stream.slot(), number));
        }
        Task::WaitFlag { on } => {
            check::note(&|checker| checker.waits(stream.slot(), on.event.handle().addr()));
            if !on.event.is_flag() {
                return wait_for_latest(on);
            }
        }
        _ => {}
    }
    task.again()
}
