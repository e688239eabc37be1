//! The streams and tasks of a graph (`acl/acl_rt.h`).
//!
//! A bound stream has the handle that the program knows. The streams of a capture run on streams of the graph, which
//! the program must not use, so their handles serve these calls only. Assumptions: the kinds of tasks, and the code of
//! an array that is too small, which the headers have for such arrays.

use std::ptr;
use std::sync::Arc;

use ascendcl_sys::{
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_ERROR_RT_INSUFFICIENT_INPUT_ARRAY,
    ACL_ERROR_RT_INVALID_HANDLE, ACL_ERROR_RT_PARAM_INVALID, ACL_MODEL_RI_TASK_DEFAULT,
    ACL_MODEL_RI_TASK_EVENT_RECORD, ACL_MODEL_RI_TASK_EVENT_RESET, ACL_MODEL_RI_TASK_EVENT_WAIT,
    ACL_MODEL_RI_TASK_KERNEL, ACL_MODEL_RI_TASK_VALUE_WAIT, ACL_MODEL_RI_TASK_VALUE_WRITE,
    ACL_SUCCESS, aclError, aclmdlRI, aclmdlRITask, aclmdlRITaskParams, aclmdlRITaskType,
    aclrtLaunchKernelAttrId, aclrtLaunchKernelAttrValue, aclrtStream,
};

use super::step::{Step, What};
use super::{Graph, Role, find, graphs, is_current};
use crate::engine::queue::Stream;
use crate::engine::submit;
use crate::engine::task::Task;
use crate::error::{fail, null_below};
use crate::handles::slots::handle;
use crate::object_calls::{attempt, write};
use crate::results::list_of;

/// The first byte of the handle of a stream of a capture.
const STREAM: usize = 0x67;
/// The first byte of the handle of a task.
const TASK: usize = 0x74;

/// Makes a handle of a graph's part. It has 24 bits for the part, so that 32 are left for the graph.
fn part(tag: usize, graph: &Graph, index: usize) -> usize {
    tag << 56 | (index & 0xff_ffff) << 32 | graph.id as usize
}

/// Returns the graph and the index of a handle of [`part`].
fn whole(tag: usize, bits: usize) -> Option<(Arc<Graph>, usize)> {
    let named = |graph: &&Arc<Graph>| bits >> 56 == tag && graph.id == bits as u32;
    let graph = graphs().all.iter().find(named).cloned()?;
    Some((graph, bits >> 32 & 0xff_ffff))
}

pub(crate) unsafe extern "C" fn aclmdlRIGetStreams(
    modelRI: aclmdlRI,
    streams: *mut aclrtStream,
    numStreams: *mut u32,
) -> aclError {
    let call = "aclmdlRIGetStreams";
    if modelRI.is_null() {
        return null_below(call, "modelRI");
    }
    let graph = attempt!(find(call, modelRI));
    let of_lane = |(index, lane): (usize, &super::Lane)| match lane.captured {
        Some(_) => ptr::without_provenance_mut(part(STREAM, &graph, index)),
        None => handle::<Stream>(lane.runs.index, lane.runs.generation),
    };
    let all = list_of(graph.lock().lanes.iter().enumerate().map(of_lane));
    // SAFETY: the same contract.
    unsafe { write_all(call, &all, streams, numStreams) }
}

pub(crate) unsafe extern "C" fn aclmdlRIGetTasksByStream(
    stream: aclrtStream,
    tasks: *mut aclmdlRITask,
    numTasks: *mut u32,
) -> aclError {
    let call = "aclmdlRIGetTasksByStream";
    let (graph, lane) = attempt!(lane_of(call, stream));
    let all: Vec<aclmdlRITask> = list_of(
        graph
            .lock()
            .steps
            .iter()
            .enumerate()
            .filter(|(_, step)| step.lane == lane)
            .map(|(index, _)| ptr::without_provenance_mut(part(TASK, &graph, index))),
    );
    // SAFETY: the same contract.
    unsafe { write_all(call, &all, tasks, numTasks) }
}

/// Writes the kind of a task.
pub(crate) unsafe extern "C" fn aclmdlRITaskGetType(
    task: aclmdlRITask,
    type_: *mut aclmdlRITaskType,
) -> aclError {
    let call = "aclmdlRITaskGetType";
    if task.is_null() || type_.is_null() {
        return null_below(call, "task or type");
    }
    match with_task(call, task, |steps, index| steps.get(index).map(Step::kind)) {
        // SAFETY: not null; the caller's contract: valid for a write.
        Ok(kind) => unsafe { write(type_, kind) },
        Err(code) => return code,
    }
    ACL_SUCCESS
}

/// Writes the number of a task in its stream, from 0.
pub(crate) unsafe extern "C" fn aclmdlRITaskGetSeqId(task: aclmdlRITask, id: *mut u32) -> aclError {
    let call = "aclmdlRITaskGetSeqId";
    if task.is_null() || id.is_null() {
        return null_below(call, "task or id");
    }
    let before = with_task(call, task, |steps, index| {
        let lane = steps.get(index)?.lane;
        let before = steps.iter().take(index).filter(|step| step.lane == lane);
        Some(before.count() as u32)
    });
    match before {
        // SAFETY: not null; the caller's contract: valid for a write.
        Ok(number) => unsafe { write(id, number) },
        Err(code) => return code,
    }
    ACL_SUCCESS
}

/// Looks a task up, by its index in the steps of its graph.
fn with_task<R>(
    call: &str,
    task: aclmdlRITask,
    look: impl FnOnce(&[Step], usize) -> Option<R>,
) -> Result<R, aclError> {
    let gone = || unknown(call, "task", task.addr(), ACL_ERROR_RT_INVALID_HANDLE);
    let (graph, index) = whole(TASK, task.addr()).ok_or_else(gone)?;
    is_current(call, &graph)?;
    look(&graph.lock().steps, index).ok_or_else(gone)
}

/// Refuses to read or change what a task does. The emulator tells the parameters of no task, those of a kernel included.
fn fixed(call: &str, task: aclmdlRITask) -> aclError {
    let known = with_task(call, task, |steps, index| steps.get(index).map(drop));
    attempt!(known);
    fail(
        ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
        format_args!(
            "{call} failed: the parameters of tasks are not modelled; capture the graph again, or use a task group"
        ),
    )
}

pub(crate) unsafe extern "C" fn aclmdlRITaskGetParams(
    task: aclmdlRITask,
    params: *mut aclmdlRITaskParams,
) -> aclError {
    let call = "aclmdlRITaskGetParams";
    if task.is_null() || params.is_null() {
        return null_below(call, "task or params");
    }
    fixed(call, task)
}

pub(crate) unsafe extern "C" fn aclmdlRITaskSetParams(
    task: aclmdlRITask,
    params: *mut aclmdlRITaskParams,
) -> aclError {
    let call = "aclmdlRITaskSetParams";
    if task.is_null() || params.is_null() {
        return null_below(call, "task or params");
    }
    fixed(call, task)
}

pub(crate) unsafe extern "C" fn aclmdlRITaskDisable(task: aclmdlRITask) -> aclError {
    let call = "aclmdlRITaskDisable";
    if task.is_null() {
        return null_below(call, "task");
    }
    fixed(call, task)
}

pub(crate) unsafe extern "C" fn aclmdlRIKernelTaskGetAttribute(
    task: aclmdlRITask,
    _: aclrtLaunchKernelAttrId,
    value: *mut aclrtLaunchKernelAttrValue,
) -> aclError {
    let call = "aclmdlRIKernelTaskGetAttribute";
    if task.is_null() || value.is_null() {
        return null_below(call, "task or value");
    }
    match fixed(call, task) {
        ACL_ERROR_RT_FEATURE_NOT_SUPPORT => {
            unknown(call, "kernel", task.addr(), ACL_ERROR_RT_PARAM_INVALID)
        }
        code => code,
    }
}

/// Applies the changes of tasks, of which there are none.
pub(crate) unsafe extern "C" fn aclmdlRIUpdate(modelRI: aclmdlRI) -> aclError {
    let call = "aclmdlRIUpdate";
    if modelRI.is_null() {
        return null_below(call, "modelRI");
    }
    match find(call, modelRI) {
        Ok(graph) => fail(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
            format_args!(
                "{call} failed: no task of model instance {} was changed",
                graph.id
            ),
        ),
        Err(code) => code,
    }
}

/// Returns the graph of a stream, and its lane there.
fn lane_of(call: &str, stream: aclrtStream) -> Result<(Arc<Graph>, usize), aclError> {
    if stream.is_null() {
        return Err(null_below(call, "stream"));
    }
    let found = match whole(STREAM, stream.addr()) {
        Some(found) => Some(found),
        None => match submit::find(call, stream)? {
            Some(target) => match graphs().role(target) {
                Some(Role::Persistent(Some((graph, lane)))) => Some((Arc::clone(graph), *lane)),
                _ => None,
            },
            None => None,
        },
    };
    let (graph, lane) =
        found.ok_or_else(|| unknown(call, "stream", stream.addr(), ACL_ERROR_RT_PARAM_INVALID))?;
    is_current(call, &graph)?;
    Ok((graph, lane))
}

#[cold]
fn unknown(call: &str, argument: &str, handle: usize, code: aclError) -> aclError {
    fail(
        code,
        format_args!("{call} failed: {argument} {handle:#x} is in no model instance (any more)"),
    )
}

/// Writes the number of objects, and the objects if there is an array for them.
///
/// # Safety
///
/// - `count` is null or valid for a read and a write. `array` is null or has as many elements as `count` says.
unsafe fn write_all<T: Copy>(call: &str, all: &[T], array: *mut T, count: *mut u32) -> aclError {
    if count.is_null() {
        return null_below(call, "the pointer for the number");
    }
    // SAFETY: not null; the caller's contract.
    let room = unsafe { count.read() } as usize;
    if !array.is_null() {
        if room < all.len() {
            return fail(
                ACL_ERROR_RT_INSUFFICIENT_INPUT_ARRAY,
                format_args!(
                    "{call} failed: the array has room for {room} of {}; ask for the number with NULL first",
                    all.len()
                ),
            );
        }
        // SAFETY: the array has room for all (the check above, and the caller's contract).
        unsafe { ptr::copy_nonoverlapping(all.as_ptr(), array, all.len()) };
    }
    // SAFETY: not null; the caller's contract.
    unsafe { count.write(all.len() as u32) };
    ACL_SUCCESS
}

impl Step {
    fn kind(&self) -> aclmdlRITaskType {
        match &self.what {
            What::Operator(_) | What::Task(Task::Kernel(_)) => ACL_MODEL_RI_TASK_KERNEL,
            What::Mark => ACL_MODEL_RI_TASK_EVENT_RECORD,
            What::After(_) => ACL_MODEL_RI_TASK_EVENT_WAIT,
            What::Task(task) => match task.call() {
                "aclrtRecordEvent" => ACL_MODEL_RI_TASK_EVENT_RECORD,
                "aclrtStreamWaitEvent" => ACL_MODEL_RI_TASK_EVENT_WAIT,
                "aclrtResetEvent" => ACL_MODEL_RI_TASK_EVENT_RESET,
                "aclrtValueWrite" => ACL_MODEL_RI_TASK_VALUE_WRITE,
                "aclrtValueWait" => ACL_MODEL_RI_TASK_VALUE_WAIT,
                call if call.starts_with("aclrtLaunchKernel") => ACL_MODEL_RI_TASK_KERNEL,
                _ => ACL_MODEL_RI_TASK_DEFAULT,
            },
            _ => ACL_MODEL_RI_TASK_DEFAULT,
        }
    }
}
