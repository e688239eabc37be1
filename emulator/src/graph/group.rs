//! Task groups: operators of a captured graph that the program can exchange later.
//!
//! An update is a task of the stream to which it is submitted. Each run of the graph executes the version of an
//! operator that is current when the operator's turn comes, even if the run began before the update.

use std::fmt;
use std::mem;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ascendcl_sys::{
    ACL_ERROR_RT_INTERNAL_ERROR, ACL_ERROR_RT_INVALID_HANDLE, ACL_ERROR_RT_STREAM_CAPTURED,
    ACL_ERROR_RT_STREAM_MODEL, ACL_ERROR_RT_STREAM_NOT_CAPTURED,
    ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT, ACL_ERROR_STREAM_TASK_GROUP_STATUS, ACL_SUCCESS, aclError,
    aclrtStream, aclrtTaskGrp,
};

use super::capture::OpenGroup;
use super::step::{Step, What};
use super::{Graph, Inner, Role, graphs};
use crate::check::{self, Usage};
use crate::engine::kernel::{KernelTask, run_kernel};
use crate::engine::queue::Stream;
use crate::engine::submit::{self, Target, own};
use crate::engine::task::{Fault, Task};
use crate::engine::work::Work;
use crate::error::{fail, null};
use crate::object_calls::{attempt, not_null};
use crate::results::list_of;
use crate::sync::{Mutex, lock};

/// The top byte of a group's handle; no address begins with it.
const TAG: usize = 0x47 << 56;

/// A group of operators of a graph, by their indices in the steps.
#[derive(Debug)]
pub(super) struct Group {
    steps: Vec<usize>,
    /// The number of operators that the current update has exchanged; `None` without an update.
    updated: Option<usize>,
}

/// An operator of a group.
pub(super) struct Operator {
    /// The number of the operator for the checker, which is never used again.
    id: u64,
    name: &'static str,
    now: Mutex<Arc<KernelTask>>,
}

impl Operator {
    fn new(kernel: KernelTask) -> Operator {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Operator {
            id: LAST.fetch_add(1, Ordering::Relaxed) + 1,
            name: kernel.name,
            now: Mutex::new(Arc::new(kernel)),
        }
    }

    /// Returns the function that the operator runs. Updates do not change it.
    pub(super) fn name(&self) -> &'static str {
        self.name
    }
}

/// Runs the version of the operator that is current when its turn comes.
impl Work for Arc<Operator> {
    fn call(&self) -> &'static str {
        self.name
    }

    fn run(&mut self, _: &'static Stream, _: u64) -> Result<(), Fault> {
        let now = Arc::clone(&lock(&self.now));
        run_kernel(&now)
    }

    fn again(&self) -> Box<dyn Work> {
        Box::new(Arc::clone(self))
    }
}

impl Drop for Operator {
    fn drop(&mut self) {
        check::note(&|checker| checker.operator_ended(self.id));
    }
}

impl fmt::Debug for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The exchange of an operator of a group.
#[derive(Clone)]
pub(super) struct Update {
    operator: Arc<Operator>,
    new: Arc<KernelTask>,
    /// The memory uses of the new operator, for the checker.
    usage: Option<Usage>,
}

impl Update {
    /// Queues the exchange on the stream to which it was submitted.
    pub(super) fn queue(self, call: &str, stream: Target) -> Result<(), aclError> {
        let Target {
            stream, generation, ..
        } = stream;
        let queued = stream.push(generation, false, |number| {
            check::note(&|checker| {
                if let Some(usage) = &self.usage {
                    checker.exchanges(stream.slot(), number, usage);
                }
            });
            Task::Other(Box::new(self))
        });
        submit::remember(queued.ok_or_else(|| submit::stale(call, "stream", 0))?);
        Ok(())
    }
}

impl Work for Update {
    fn call(&self) -> &'static str {
        "aclmdlRICaptureTaskUpdateBegin"
    }

    /// Exchanges the operator.
    fn run(&mut self, _: &'static Stream, _: u64) -> Result<(), Fault> {
        *lock(&self.operator.now) = Arc::clone(&self.new);
        Ok(())
    }

    fn again(&self) -> Box<dyn Work> {
        Box::new(self.clone())
    }
}

/// Returns the handle of a graph's group.
fn handle(graph: &Graph, group: usize) -> aclrtTaskGrp {
    ptr::without_provenance_mut(TAG | (group & 0xff_ffff) << 32 | graph.id as usize)
}

/// Returns the code for a call in the wrong order.
#[cold]
fn wrong_order(call: &str, why: &str) -> aclError {
    fail(
        ACL_ERROR_STREAM_TASK_GROUP_STATUS,
        format_args!("{call} failed: {why}"),
    )
}

/// Returns the stream of a call, which must not be NULL.
fn named(call: &str, stream: aclrtStream) -> Result<Target, aclError> {
    not_null(call, "stream", stream)?;
    submit::find(call, stream).and_then(|found| own(call, found))
}

/// Returns the capture of a stream, and the stream's lane in it.
fn captured(call: &str, stream: aclrtStream) -> Result<(Arc<Graph>, usize), aclError> {
    match graphs().role(named(call, stream)?) {
        Some(Role::Captured(graph, lane)) => Ok((Arc::clone(graph), *lane)),
        _ => Err(fail(
            ACL_ERROR_RT_STREAM_NOT_CAPTURED,
            format_args!("{call} failed: the stream is not captured; a group is part of a capture"),
        )),
    }
}

pub(crate) unsafe extern "C" fn aclmdlRICaptureTaskGrpBegin(stream: aclrtStream) -> aclError {
    let call = "aclmdlRICaptureTaskGrpBegin";
    let begun = captured(call, stream).and_then(|(graph, lane)| {
        let mut inner = graph.lock();
        let next = inner.steps.len();
        let Some(capture) = inner.capture() else {
            return Err(submit::stale(call, "stream", 0));
        };
        if capture.has_open_group(lane) {
            return Err(wrong_order(
                call,
                "a group of the stream is open; end it first",
            ));
        }
        capture.open_groups.push(OpenGroup {
            lane,
            first: next,
            refused: false,
        });
        Ok(())
    });
    begun.err().unwrap_or(ACL_SUCCESS)
}

pub(crate) unsafe extern "C" fn aclmdlRICaptureTaskGrpEnd(
    stream: aclrtStream,
    handle: *mut aclrtTaskGrp,
) -> aclError {
    let call = "aclmdlRICaptureTaskGrpEnd";
    if stream.is_null() || handle.is_null() {
        return null(call, "stream or handle");
    }
    let ended = captured(call, stream).and_then(|(graph, lane)| {
        let group = graph.lock().close(call, lane)?;
        Ok(self::handle(&graph, group))
    });
    let group = attempt!(ended);
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { handle.write(group) };
    ACL_SUCCESS
}

impl Inner {
    /// Ends the open group of a lane and returns the number of the group.
    fn close(&mut self, call: &str, lane: usize) -> Result<usize, aclError> {
        let Some(capture) = self.capture() else {
            return Err(submit::stale(call, "stream", 0));
        };
        let mut groups = capture.open_groups.iter();
        let open = groups.position(|group| group.lane == lane);
        let Some(open) = open else {
            return Err(wrong_order(
                call,
                "no group of the stream is open; begin first",
            ));
        };
        let open = capture.open_groups.swap_remove(open);
        if open.refused {
            return Err(fail(
                ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT,
                format_args!(
                    "{call} failed: a task that is no operator was submitted to the group"
                ),
            ));
        }
        capture.is_valid(call)?;
        let steps = self.steps.iter_mut().enumerate().skip(open.first);
        let steps = steps.filter(|(_, step)| step.lane == lane);
        let group = Group {
            steps: list_of(steps.map(|(index, step)| {
                step.make_exchangeable();
                index
            })),
            updated: None,
        };
        self.groups.push(group);
        Ok(self.groups.len() - 1)
    }

    /// Makes the exchange of the next operator of a group that is being updated.
    pub(super) fn replace(
        &mut self,
        call: &str,
        group: usize,
        mut step: Step,
    ) -> Result<Update, aclError> {
        if !step.is_operator() {
            return Err(fail(
                ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT,
                format_args!(
                    "{call} failed: a task group takes operators only; call \
                     aclmdlRICaptureTaskUpdateEnd first"
                ),
            ));
        }
        let old = self.groups.get_mut(group).and_then(|group| {
            let next = group.updated?;
            let index = *group.steps.get(next)?;
            group.updated = Some(next + 1);
            Some((next + 1, self.steps.get_mut(index)?))
        });
        let Some((number, old)) = old else {
            return Err(fail(
                ACL_ERROR_RT_INTERNAL_ERROR,
                format_args!("{call} failed: the task group has no further operator to exchange"),
            ));
        };
        if name(old) != name(&step) {
            return Err(fail(
                ACL_ERROR_RT_INTERNAL_ERROR,
                format_args!(
                    "{call} failed: operator {number} of the task group is {}, not {}; an update \
                     exchanges an operator only for one with the same name",
                    name(old),
                    name(&step)
                ),
            ));
        }
        let update = step.exchange_for(old);
        update.ok_or_else(|| submit::stale(call, "handle", 0))
    }
}

impl Step {
    /// Makes an operator exchangeable.
    fn make_exchangeable(&mut self) {
        self.what = match mem::replace(&mut self.what, What::Mark) {
            What::Task(Task::Kernel(kernel)) => {
                let operator = Arc::new(Operator::new(*kernel));
                if let Some(usage) = &mut self.usage {
                    usage.mark(operator.id);
                }
                What::Operator(operator)
            }
            other => other,
        };
    }

    /// Makes the exchange of an old operator for this one.
    fn exchange_for(&mut self, old: &mut Step) -> Option<Update> {
        let What::Operator(operator) = &old.what else {
            return None;
        };
        let What::Task(Task::Kernel(kernel)) = mem::replace(&mut self.what, What::Mark) else {
            return None;
        };
        if let Some(usage) = &mut self.usage {
            usage.mark(operator.id);
        }
        old.large = self.large;
        Some(Update {
            operator: Arc::clone(operator),
            new: Arc::new(*kernel),
            usage: self.usage.take(),
        })
    }
}

fn name(step: &Step) -> &'static str {
    match &step.what {
        What::Task(task) => task.call(),
        What::Operator(operator) => operator.name(),
        _ => "no operator",
    }
}

pub(crate) unsafe extern "C" fn aclmdlRICaptureTaskUpdateBegin(
    stream: aclrtStream,
    handle: aclrtTaskGrp,
) -> aclError {
    let call = "aclmdlRICaptureTaskUpdateBegin";
    if stream.is_null() || handle.is_null() {
        return null(call, "stream or handle");
    }
    let begun = named(call, stream).and_then(|target| begin_update(call, target, handle));
    begun.err().unwrap_or(ACL_SUCCESS)
}

fn begin_update(call: &str, target: Target, handle: aclrtTaskGrp) -> Result<(), aclError> {
    let mut graphs = graphs();
    match graphs.role(target) {
        None => {}
        Some(Role::Captured(..)) => {
            return Err(fail(
                ACL_ERROR_RT_STREAM_CAPTURED,
                format_args!("{call} failed: the stream is captured; update on another one"),
            ));
        }
        Some(Role::Persistent(_)) => {
            return Err(fail(
                ACL_ERROR_RT_STREAM_MODEL,
                format_args!("{call} failed: the stream is persistent; update on another one"),
            ));
        }
        Some(Role::Updating(..)) => {
            return Err(wrong_order(
                call,
                "the stream updates a group already; end that first",
            ));
        }
    }
    let (tag, id) = (handle.addr() & !0xff_ffff_ffff_ffff, handle.addr() as u32);
    let index = handle.addr() >> 32 & 0xff_ffff;
    let named = |graph: &&Arc<Graph>| tag == TAG && graph.id == id;
    let graph = graphs.all.iter().find(named).cloned();
    let unknown = || {
        fail(
            ACL_ERROR_RT_INVALID_HANDLE,
            format_args!(
                "{call} failed: handle {handle:p} is no task group, or its instance is gone"
            ),
        )
    };
    let graph = graph.ok_or_else(unknown)?;
    let mut inner = graph.lock();
    let group = inner.groups.get_mut(index).ok_or_else(unknown)?;
    if group.updated.is_some() {
        return Err(wrong_order(call, "another stream updates the group"));
    }
    group.updated = Some(0);
    drop(inner);
    graphs.set_role(target, Some(Role::Updating(graph, index)));
    Ok(())
}

pub(crate) unsafe extern "C" fn aclmdlRICaptureTaskUpdateEnd(stream: aclrtStream) -> aclError {
    let call = "aclmdlRICaptureTaskUpdateEnd";
    let ended = named(call, stream).and_then(|target| {
        let mut graphs = graphs();
        let Some(Role::Updating(graph, index)) = graphs.role(target).cloned() else {
            return Err(wrong_order(call, "the stream updates no task group; begin first"));
        };
        graphs.set_role(target, None);
        let mut inner = graph.lock();
        let group = inner.groups.get_mut(index);
        let (updated, all) = group.map_or((0, 0), |group| {
            (group.updated.take().unwrap_or(0), group.steps.len())
        });
        if updated < all {
            return Err(fail(
                ACL_ERROR_RT_INTERNAL_ERROR,
                format_args!(
                    "{call} failed: {updated} of the group's {all} operators were exchanged; submit as \
                     many as the group has"
                ),
            ));
        }
        Ok(())
    });
    ended.err().unwrap_or(ACL_SUCCESS)
}
