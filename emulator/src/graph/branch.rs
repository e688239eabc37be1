//! Branches of conditional tasks: a capture creates them as empty graphs, and the program captures tasks into them.
//!
//! A branch belongs to the graph whose capture created it. It runs and ends with that graph.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use ascendcl_sys::{
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_ERROR_RT_STREAM_NOT_CAPTURED,
    ACL_ERROR_RT_SUB_ACLGRAPH_IS_CAPTURING, ACL_MODEL_RI_COND_TYPE_IF,
    ACL_MODEL_RI_COND_TYPE_SWITCH, ACL_MODEL_RI_COND_TYPE_WHILE, ACL_SUCCESS, aclError, aclmdlRI,
    aclmdlRICaptureMode, aclmdlRICondTaskParams, aclrtStream,
};

use super::capture::{Capture, can_be_captured, is_free};
use super::choice::{Choice, ConditionalKind};
use super::condition::{Condition, named};
use super::mode::is_mode;
use super::step::{Step, What};
use super::{Graph, Inner, Phase, Role, find, graphs};
use crate::engine::current::{Current, current};
use crate::engine::submit::{self, Target, own};
use crate::engine::task::Task;
use crate::error::fail;
use crate::object_calls::{attempt, invalid_below, not_null};
use crate::results::list_of;

/// The largest number of branches of a conditional task.
const BRANCHES: u32 = 4096;

pub(crate) unsafe extern "C" fn aclmdlRIAddCondTask(
    params: aclmdlRICondTaskParams,
    stream: aclrtStream,
    flags: u32,
) -> aclError {
    let call = "aclmdlRIAddCondTask";
    attempt!(not_null(call, "stream", stream));
    let added = submit::find(call, stream).and_then(|found| {
        let kind = kind(call, &params, flags)?;
        add(call, &params, kind, found)
    });
    let branches = attempt!(added);
    for (index, branch) in branches.iter().enumerate() {
        // SAFETY: the caller's contract: valid for `size` writes, and there are as many branches.
        let out = unsafe { params.modelRIArray.add(index) };
        // SAFETY: not null (`kind` checked it) and inside of the array (the caller's contract).
        unsafe { out.write(branch.handle()) };
    }
    ACL_SUCCESS
}

/// Checks the parameters of a conditional task that do not depend on other objects, and returns its kind.
fn kind(
    call: &str,
    params: &aclmdlRICondTaskParams,
    flags: u32,
) -> Result<ConditionalKind, aclError> {
    let kind = match params.type_ {
        ACL_MODEL_RI_COND_TYPE_IF => ConditionalKind::If,
        ACL_MODEL_RI_COND_TYPE_WHILE => ConditionalKind::While,
        ACL_MODEL_RI_COND_TYPE_SWITCH => ConditionalKind::Switch,
        other => {
            return Err(invalid_below(
                call,
                format_args!("type is {}, which is no kind of conditional task", other.0),
            ));
        }
    };
    if params.size == 0 {
        return Err(invalid_below(
            call,
            format_args!("size is 0; a conditional task has a branch at least"),
        ));
    }
    if flags != 0 {
        return Err(invalid_below(
            call,
            format_args!("flags is {flags:#x}; it is reserved, pass 0"),
        ));
    }
    if params.handle.is_null() || params.modelRIArray.is_null() {
        return Err(invalid_below(
            call,
            format_args!(
                "handle or modelRIArray is NULL; pass a condition of aclmdlRICondHandleCreate, and \
                 an array for the branches"
            ),
        ));
    }
    Ok(kind)
}

/// Checks the number of branches.
fn is_size(call: &str, kind: ConditionalKind, size: u32) -> Result<(), aclError> {
    let (most, what) = match kind {
        ConditionalKind::If => (2, "an IF has one or two"),
        ConditionalKind::While => (1, "a WHILE has one"),
        ConditionalKind::Switch => (BRANCHES, "the emulator's SWITCH has 4096 at most"),
    };
    if size > most {
        return Err(invalid_below(
            call,
            format_args!("size is {size}, the number of branches; {what}"),
        ));
    }
    Ok(())
}

#[cold]
fn is_used(call: &str, condition: &Condition) -> aclError {
    invalid_below(
        call,
        format_args!(
            "condition {:p} has a conditional task already; make another condition",
            condition.handle()
        ),
    )
}

/// Adds a conditional task to a capture and returns its branches.
fn add(
    call: &str,
    params: &aclmdlRICondTaskParams,
    kind: ConditionalKind,
    found: Option<Target>,
) -> Result<Vec<Arc<Graph>>, aclError> {
    let (owner, condition) = named(call, params.handle)?;
    if condition.used.load(Ordering::Relaxed) {
        return Err(is_used(call, &condition));
    }
    let target = own(call, found)?;
    let mut graphs = graphs();
    let Some(Role::Captured(graph, lane)) = graphs.role(target).cloned() else {
        return Err(fail(
            ACL_ERROR_RT_STREAM_NOT_CAPTURED,
            format_args!(
                "{call} failed: the stream is not captured; a conditional task is part of a capture"
            ),
        ));
    };
    if graph.id != owner.id {
        return Err(invalid_below(
            call,
            format_args!(
                "the stream is captured into model instance {}, and the condition belongs to {}; make \
                 a condition of the instance that aclmdlRICaptureGetInfo tells for the stream",
                graph.id, owner.id
            ),
        ));
    }
    is_size(call, kind, params.size)?;
    let mut inner = graph.lock();
    // This checks that the capture accepts a task that is not an operator, before any branch is created.
    let any = Step::new(lane, What::Task(Task::Nothing));
    inner.admits(call, &graph, &any)?;
    if condition.used.swap(true, Ordering::Relaxed) {
        return Err(is_used(call, &condition));
    }
    let branches =
        list_of((0..params.size).map(|_| graphs.make(graph.context, Phase::Branch, true)));
    let choice = Choice {
        condition,
        kind,
        branches: branches.clone(),
    };
    let number = inner.add(Step::new(lane, What::Condition(Arc::new(choice))));
    drop(inner);
    drop(graphs);
    for branch in &branches {
        branch.tell_start(call);
    }
    submit::remember(number as u64);
    Ok(branches)
}

/// Begins a capture into a branch.
pub(crate) unsafe extern "C" fn aclmdlRICaptureToModelRIBegin(
    stream: aclrtStream,
    modelRI: aclmdlRI,
    mode: aclmdlRICaptureMode,
) -> aclError {
    let call = "aclmdlRICaptureToModelRIBegin";
    attempt!(not_null(call, "stream", stream));
    let begun = submit::find(call, stream).and_then(|found| {
        let graph = find(call, modelRI)?;
        is_mode(call, mode)?;
        let target = own(call, found)?;
        can_be_captured(call, target)?;
        begin(call, &current(call)?, target, &graph, mode)
    });
    begun.err().unwrap_or(ACL_SUCCESS)
}

fn begin(
    call: &str,
    current: &Current,
    target: Target,
    graph: &Arc<Graph>,
    mode: aclmdlRICaptureMode,
) -> Result<(), aclError> {
    if !graph.is_branch {
        return Err(invalid_below(
            call,
            format_args!(
                "model instance {} is no branch of a conditional task (aclmdlRIAddCondTask); use \
                 aclmdlRICaptureBegin",
                graph.id
            ),
        ));
    }
    let mut graphs = graphs();
    let mut inner = graph.lock();
    if !matches!(inner.phase, Phase::Branch) {
        return Err(invalid_below(
            call,
            format_args!(
                "model instance {} is being captured, or was before; a branch is captured into once",
                graph.id
            ),
        ));
    }
    is_free(call, &graphs, target)?;
    let lane = inner.join(call, current, target)?;
    inner.phase = Phase::Captured(Capture::new(mode));
    graphs.set_role(target, Some(Role::Captured(Arc::clone(graph), lane)));
    Ok(())
}

impl Inner {
    /// Checks that no branch is empty when its capture ends.
    pub(super) fn has_all_branches(&self, call: &str) -> Result<(), aclError> {
        let is_open = |branch: &&Arc<Graph>| !matches!(branch.lock().phase, Phase::Complete(_));
        let mut choices = self.choices();
        let open = choices.find_map(|choice| choice.branches.iter().find(is_open));
        let Some(open) = open else {
            return Ok(());
        };
        Err(fail(
            ACL_ERROR_RT_SUB_ACLGRAPH_IS_CAPTURING,
            format_args!(
                "{call} failed: nothing was captured into branch {} of a conditional task, or that \
                 capture has not ended; call aclmdlRICaptureToModelRIBegin and aclmdlRICaptureEnd for \
                 each branch first",
                open.id
            ),
        ))
    }
}

impl Graph {
    /// Checks that the graph is not a branch, so that it accepts tasks that involve the program or other streams.
    pub(super) fn takes_others(&self, call: &str) -> Result<(), aclError> {
        if !self.is_branch {
            return Ok(());
        }
        Err(fail(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
            format_args!(
                "{call} failed: a branch of a conditional task takes no functions of the program, \
                 notifies, external events or waits for numbers; capture it beside the conditional task"
            ),
        ))
    }

    /// Checks that the graph is not a branch; `remedy` says what the program does with a branch instead.
    pub(super) fn is_root(&self, call: &str, remedy: &str) -> Result<(), aclError> {
        if !self.is_branch {
            return Ok(());
        }
        Err(fail(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
            format_args!(
                "{call} failed: model instance {} is a branch of a conditional task; {remedy}",
                self.id
            ),
        ))
    }
}
