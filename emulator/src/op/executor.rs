//! Executors: what the first phase of an operator hands to the second (`aclnn/acl_meta.h`).
//!
//! An executor owns copies of all that the kernel needs, so tensors and scalars may be destroyed as
//! soon as the first phase is over; the memory they describe may not.
//!
//! A one-shot executor is gone once its own second phase was called, whether or not that succeeded,
//! as in CANN. A handle that names no executor is 161002 everywhere; null is 161001 in the second
//! phase and 561103 in the two functions of this file, as their manuals say.

use core::ffi::c_void;
use std::sync::Arc;

use ascendcl_sys::{
    ACLNN_ERR_INNER_NULLPTR, ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_PARAM_NULLPTR, aclOpExecutor,
    aclnnStatus, aclrtStream,
};

use crate::handles::registry::{Fate, Registry};

use super::work::Work;
use crate::error::fail;
use crate::memory::device_of;
use crate::stream::{Mapped, Span, device_of_stream, submit_kernel};

/// All executors that exist.
pub(super) static EXECUTORS: Registry<Executor> = Registry::new(0x45);

/// What an executor handle stands for.
#[derive(Debug)]
pub(super) struct Executor {
    plan: Arc<Plan>,
    repeatable: bool,
}

/// An operator call, checked and ready to be queued.
#[derive(Debug)]
pub(super) struct Plan {
    /// The C name of the second phase.
    pub(super) operator: &'static str,
    /// The first operand, the second one and `out`.
    pub(super) views: [Extent; 3],
    /// Bytes of workspace that the caller was asked for.
    pub(super) workspace: u64,
    /// What the kernel does with the views.
    pub(super) work: Work,
}

impl Executor {
    /// What this executor runs.
    pub(super) fn plan(&self) -> Arc<Plan> {
        Arc::clone(&self.plan)
    }
}

/// The bytes of device memory from the first to the end of the last element of a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Extent {
    pub(super) address: usize,
    pub(super) len: usize,
    /// Whether the view has no gaps.
    pub(super) dense: bool,
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
/// Any value is allowed: handles are looked up, not followed.
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
        None => stale(call, executor),
    }
}

/// Releases a reusable executor. Work it has queued is not affected.
///
/// 161002 for a one-shot executor: its second phase releases it, and to give up before that, make it
/// repeatable first.
///
/// # Safety
///
/// Any value is allowed: handles are looked up, not followed.
pub unsafe extern "C" fn aclDestroyAclOpExecutor(executor: *mut aclOpExecutor) -> aclnnStatus {
    let call = "aclDestroyAclOpExecutor";
    if executor.is_null() {
        return null(call);
    }
    let removed = EXECUTORS.visit(executor.addr(), |executor| {
        let fate = if executor.repeatable {
            Fate::Remove
        } else {
            Fate::Keep
        };
        (fate, executor.repeatable)
    });
    match removed {
        Some(true) => 0,
        Some(false) => fail(
            ACLNN_ERR_PARAM_INVALID,
            format_args!(
                "{call}: {executor:p} is one-shot, its second phase releases it; \
                 aclSetAclOpExecutorRepeatable makes it yours to destroy"
            ),
        ),
        None => stale(call, executor),
    }
}

/// The second phase of `operator`: checks the workspace and queues the kernel.
pub(super) fn launch(
    operator: &'static str,
    workspace: *mut c_void,
    workspace_size: u64,
    executor: *mut aclOpExecutor,
    stream: aclrtStream,
) -> aclnnStatus {
    if executor.is_null() {
        return fail(
            ACLNN_ERR_PARAM_NULLPTR,
            format_args!("{operator}: the executor is null"),
        );
    }
    let claimed = EXECUTORS.visit(executor.addr(), |executor| {
        let plan = executor.plan();
        // An executor of another operator stays: its own second phase is still to come.
        let fate = if plan.operator == operator && !executor.repeatable {
            Fate::Remove
        } else {
            Fate::Keep
        };
        (fate, plan)
    });
    let Some(plan) = claimed else {
        return stale(operator, executor);
    };
    if plan.operator != operator {
        return fail(
            ACLNN_ERR_PARAM_INVALID,
            format_args!(
                "{operator}: {executor:p} is an executor of {}",
                plan.operator
            ),
        );
    }
    // In this order: CANN looks for null, whatever the size is, and never at the size.
    if workspace_size > 0 && workspace.is_null() {
        return fail(
            ACLNN_ERR_PARAM_NULLPTR,
            format_args!("{operator}: the workspace of {workspace_size} bytes is null"),
        );
    }
    if workspace_size < plan.workspace {
        return fail(
            ACLNN_ERR_PARAM_INVALID,
            format_args!(
                "{operator}: the workspace has {workspace_size} bytes, the first phase asked for {}",
                plan.workspace
            ),
        );
    }
    if let Ok(len @ 1..) = usize::try_from(plan.workspace)
        && let Err(code) = check_workspace(operator, workspace, len, stream)
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
    let operator = plan.operator;
    let [left, right, out] = plan.views;
    if out.len == 0 {
        // Still a task of the stream, so that a wrong stream is noticed.
        return submit_kernel(stream, operator, Vec::new(), Arc::new(|_: &[Mapped]| {}));
    }
    let span = |extent: Extent, write| Span {
        address: extent.address,
        len: extent.len,
        write,
        dense: extent.dense,
    };
    let mut spans = vec![span(left, false), span(right, false), span(out, true)];
    // In use until the kernel has run: freeing it before is a mistake that the checker can name.
    if let Ok(len @ 1..) = usize::try_from(plan.workspace) {
        let address = workspace.addr();
        let dense = true;
        let workspace = Extent {
            address,
            len,
            dense,
        };
        spans.push(span(workspace, true));
    }
    let kernel = move |mapped: &[Mapped]| {
        let [left, right, out, workspace @ ..] = mapped else {
            return;
        };
        let given = [left.len, right.len, out.len];
        let mut pairs = given.iter().zip(&plan.views);
        if pairs.any(|(&given, view)| given < view.len) {
            return;
        }
        // CANN keeps copies of operands there. What the program had there, operands included, is lost.
        for stages in workspace {
            // SAFETY: the span is valid for writes of so many bytes.
            unsafe { stages.pointer.write_bytes(STAGES, stages.len) };
        }
        // SAFETY: `submit_kernel` promises that each pointer reaches the memory of its span for the
        // call, and a length was checked above to be what the plan asked for, in this order.
        unsafe { plan.work.run(left.pointer, right.pointer, out.pointer) };
    };
    submit_kernel(stream, operator, spans, Arc::new(kernel))
}

/// The answer to null where the manual names 561103.
fn null(call: &str) -> aclnnStatus {
    fail(
        ACLNN_ERR_INNER_NULLPTR,
        format_args!("{call}: the executor is null"),
    )
}

/// The answer to a handle that names no executor.
fn stale(call: &str, executor: *const aclOpExecutor) -> aclnnStatus {
    fail(
        ACLNN_ERR_PARAM_INVALID,
        format_args!(
            "{call}: {executor:p} is not an executor; a one-shot executor serves one second phase, \
             aclSetAclOpExecutorRepeatable allows more"
        ),
    )
}
