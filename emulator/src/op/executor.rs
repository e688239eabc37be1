//! Executors: what the first phase of an operator hands to the second (`aclnn/acl_meta.h`).
//!
//! An executor owns copies of all that the kernel needs, so tensors and scalars may be destroyed as
//! soon as the first phase is over; the memory they describe may not.
//!
//! A one-shot executor is gone once its own second phase was called, whether or not that succeeded,
//! as in CANN. Null is 161001 in the second phase and 561103 in the two functions of this file; a handle that names
//! no executor is 161002 in the second phase, where CANN follows it, and 561000 in those (published source of opbase).

use core::ffi::c_void;
use std::sync::Arc;

use ascendcl_sys::{
    ACLNN_ERR_INNER, ACLNN_ERR_INNER_NULLPTR, ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_PARAM_NULLPTR,
    aclOpExecutor, aclnnStatus, aclrtStream,
};

use crate::handles::registry::{Fate, Registry};

use super::plan::{Operator, Plan};
use super::view::Views;
use crate::engine::kernel::{Mapped, Span, submit_kernel};
use crate::error::fail;
use crate::space::device_of;
use crate::stream::device_of_stream;

/// All executors that exist.
pub(super) static EXECUTORS: Registry<Executor> = Registry::new(0x45);

/// What an executor handle stands for.
#[derive(Debug)]
pub(super) struct Executor {
    plan: Arc<Plan>,
    repeatable: bool,
}

impl Executor {
    /// What this executor runs.
    pub(super) fn plan(&self) -> Arc<Plan> {
        Arc::clone(&self.plan)
    }
}

/// Registers a one-shot executor for the plan.
pub(super) fn prepare(plan: Plan) -> Option<*mut aclOpExecutor> {
    let handle = EXECUTORS.insert(Executor {
        plan: Arc::new(plan),
        repeatable: false,
    })?;
    Some(core::ptr::without_provenance_mut(handle))
}

/// Makes an executor reusable: its second phase may be called any number of times, and
/// `aclDestroyAclOpExecutor` releases it. Again on a reusable one is no error.
///
/// # Safety
///
/// None: any value is allowed, because handles are looked up and never dereferenced.
pub unsafe extern "C" fn aclSetAclOpExecutorRepeatable(
    executor: *mut aclOpExecutor,
) -> aclnnStatus {
    let call = "aclSetAclOpExecutorRepeatable";
    if executor.is_null() {
        return null(call);
    }
    let set = EXECUTORS.visit(executor.addr(), |executor| {
        executor.repeatable = true;
        (Fate::Keep, ())
    });
    match set {
        Some(()) => 0,
        None => stale(ACLNN_ERR_INNER, call, executor),
    }
}

/// Releases a reusable executor, or one whose second phase was never called. Work it has queued is not affected.
///
/// 561103 for null, 561000 for what is no executor (any more).
///
/// # Safety
///
/// None: any value is allowed, because handles are looked up and never dereferenced.
pub unsafe extern "C" fn aclDestroyAclOpExecutor(executor: *mut aclOpExecutor) -> aclnnStatus {
    let call = "aclDestroyAclOpExecutor";
    if executor.is_null() {
        return null(call);
    }
    if EXECUTORS.remove(executor.addr()) {
        return 0;
    }
    stale(ACLNN_ERR_INNER, call, executor)
}

/// The second phase of `operator`: checks the workspace and queues the kernel.
pub(super) fn launch(
    operator: &'static Operator,
    workspace: *mut c_void,
    workspace_size: u64,
    executor: *mut aclOpExecutor,
    stream: aclrtStream,
) -> aclnnStatus {
    let name = operator.name;
    if executor.is_null() {
        return fail(
            ACLNN_ERR_PARAM_NULLPTR,
            format_args!("{name}: the executor is null"),
        );
    }
    let claimed = EXECUTORS.visit(executor.addr(), |executor| {
        let plan = executor.plan();
        // An executor of another operator stays: its own second phase is still to come.
        let fate = if core::ptr::eq(plan.operator, operator) && !executor.repeatable {
            Fate::Remove
        } else {
            Fate::Keep
        };
        (fate, plan)
    });
    let Some(plan) = claimed else {
        return stale(ACLNN_ERR_PARAM_INVALID, name, executor);
    };
    if !core::ptr::eq(plan.operator, operator) {
        return fail(
            ACLNN_ERR_PARAM_INVALID,
            format_args!(
                "{name}: {executor:p} is an executor of {}",
                plan.operator.name
            ),
        );
    }
    // In this order: CANN looks for null, whatever the size is, and never at the size.
    if workspace_size > 0 && workspace.is_null() {
        return fail(
            ACLNN_ERR_PARAM_NULLPTR,
            format_args!("{name}: the workspace of {workspace_size} bytes is null"),
        );
    }
    if workspace_size < plan.workspace {
        return fail(
            ACLNN_ERR_PARAM_INVALID,
            format_args!(
                "{name}: the workspace has {workspace_size} bytes, the first phase asked for {}",
                plan.workspace
            ),
        );
    }
    if let Ok(len @ 1..) = usize::try_from(plan.workspace)
        && let Err(code) = check_workspace(name, workspace, len, stream)
    {
        return code;
    }
    submit(plan, workspace, stream)
}

/// Checks that a workspace is memory of the device that is to use it.
fn check_workspace(
    operator: &'static str,
    workspace: *mut c_void,
    len: usize,
    stream: aclrtStream,
) -> Result<(), aclnnStatus> {
    let Some(owner) = device_of(workspace.addr(), len) else {
        return Err(fail(
            ACLNN_ERR_PARAM_INVALID,
            format_args!(
                "{operator}: the workspace {workspace:p} is not {len} bytes of device memory"
            ),
        ));
    };
    let device = device_of_stream(operator, stream)?;
    if owner == device {
        return Ok(());
    }
    Err(fail(
        ACLNN_ERR_PARAM_INVALID,
        format_args!(
            "{operator}: the workspace {workspace:p} is memory of device {owner}, the stream is of \
             device {device}"
        ),
    ))
}

/// What the workspace is full of while an operator runs: its stages, if they were looked at.
const STAGES: u8 = 0xa5;

/// Queues the kernel of a plan.
fn submit(plan: Arc<Plan>, workspace: *mut c_void, stream: aclrtStream) -> aclnnStatus {
    let name = plan.operator.name;
    let with_memory = plan.extents.iter().filter(|extent| extent.span.is_some());
    let mut spans: Vec<Span> = with_memory
        .map(|extent| Span {
            address: extent.address,
            len: extent.len,
            write: extent.is_written,
            dense: extent.is_dense,
        })
        .collect();
    let operands = spans.len();
    // In use until the kernel has run: freeing it before is a mistake that the checker can name.
    if let Ok(len @ 1..) = usize::try_from(plan.workspace) {
        spans.push(Span {
            address: workspace.addr(),
            len,
            write: true,
            dense: true,
        });
    }
    // Without memory it is still a task of the stream, so that a wrong stream is noticed.
    let kernel = move |mapped: &[Mapped]| {
        let Some((operands, stages)) = mapped.split_at_checked(operands) else {
            return;
        };
        // CANN keeps copies of operands there. What the program had there, operands included, is lost.
        for stages in stages {
            // SAFETY: the span is valid for writes of so many bytes.
            unsafe { stages.pointer.write_bytes(STAGES, stages.len) };
        }
        // SAFETY: `submit_kernel` promises that each pointer reaches the memory of its span for the call, and the
        // spans are those of the plan.
        if let Some(views) = unsafe { Views::new(&plan, operands) } {
            (plan.work)(&views);
        }
    };
    submit_kernel(stream, name, spans, Arc::new(kernel))
}

/// The answer to null where the manual names 561103.
fn null(call: &str) -> aclnnStatus {
    fail(
        ACLNN_ERR_INNER_NULLPTR,
        format_args!("{call}: the executor is null"),
    )
}

/// The answer to a handle that names no executor.
fn stale(code: aclnnStatus, call: &str, executor: *const aclOpExecutor) -> aclnnStatus {
    fail(
        code,
        format_args!(
            "{call}: {executor:p} is not an executor; a one-shot executor serves one second phase, \
             aclSetAclOpExecutorRepeatable allows more"
        ),
    )
}
