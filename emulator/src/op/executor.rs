//! Executors: the first phase of an operator passes them to the second phase (`aclnn/acl_meta.h`).
//!
//! An executor has its own copies of all descriptions that the kernel needs. So scalars may be destroyed after the first
//! phase, but the memory of the tensors may not. The second phase reads the addresses from the tensors, which may have
//! new ones by then. So the tensors of a repeatable executor live as long as it is used. If a tensor of an executor that
//! runs once was destroyed, the address of the first phase counts; CANN reads freed memory there.
//!
//! A one-shot executor ends with the first call of its own second phase, whether or not the call succeeds, as in
//! CANN. For null the second phase returns 161001, and the two functions of this file return 561103. For a handle of
//! no live executor the second phase returns 161002 (CANN dereferences it), and the two functions return 561000
//! (published source of opbase).

use core::cell::Cell;
use core::ffi::c_void;
use core::ops::Range;
use std::sync::Arc;

use ascendcl_sys::{
    ACL_INT32, ACL_INT64, ACLNN_ERR_INNER, ACLNN_ERR_INNER_NULLPTR, ACLNN_ERR_PARAM_INVALID,
    ACLNN_ERR_PARAM_NULLPTR, aclError, aclOpExecutor, aclnnStatus, aclrtStream,
};

use crate::handles::registry::{Fate, Registry};

use super::overlap::look_for_overlaps;
use super::plan::{Operator, Plan};
use super::tensor::TENSORS;
use super::view::Views;
use crate::check::{self, Touch, issuer, violated, violated_later};
use crate::engine::current::present;
use crate::engine::kernel::{Mapped, Span, submit_kernel};
use crate::error::fail;
use crate::observe::violation::What;
use crate::results::{every, list_of};
use crate::space::device_of;
use crate::stream::device_of_stream;

/// All live executors.
pub(super) static EXECUTORS: Registry<Executor> = Registry::new(0x45);

/// The plan of an operator, with its kind.
#[derive(Debug)]
pub(super) struct Executor {
    plan: Arc<Plan>,
    /// The context of its first phase, if the thread had one.
    context: Option<usize>,
    pub(super) repeatable: bool,
}

thread_local! {
    /// The executor of the latest first phase on this thread.
    static LATEST: Cell<usize> = const { Cell::new(0) };
}

impl Executor {
    /// Returns the plan that this executor runs.
    pub(super) fn plan(&self) -> Arc<Plan> {
        Arc::clone(&self.plan)
    }
}

/// Registers a one-shot executor for the plan.
pub(super) fn prepare(plan: Plan) -> Option<*mut aclOpExecutor> {
    let current = present();
    if let Some(current) = current {
        look_for_others(&plan, current.device());
    }
    let handle = EXECUTORS.insert(Executor {
        plan: Arc::new(plan),
        context: current.map(|current| current.handle().addr()),
        repeatable: false,
    })?;
    LATEST.set(handle);
    Some(core::ptr::without_provenance_mut(handle))
}

/// Reports an operand whose memory is of another device than the current one.
fn look_for_others(plan: &Plan, device: u32) {
    let placed = plan.operands.iter().zip(&plan.extents);
    let mut owned = placed.filter_map(|(operand, extent)| {
        extent.span.as_ref()?;
        Some((operand, device_of(extent.address, extent.len)?))
    });
    if let Some((operand, owner)) = owned.find(|(_, owner)| *owner != device) {
        let name = plan.operator.name;
        violated(
            name,
            What::OtherContext,
            format_args!(
                "{name}GetWorkspaceSize was called with device {device} current, and {} is memory of device {owner}",
                operand.name
            ),
        );
    }
}

/// Reports a second phase in another context than that of its first phase.
fn look_at_context(name: &'static str, of_first: Option<usize>) {
    if let Some(first) = of_first
        && let Some(current) = present()
        && current.handle().addr() != first
    {
        violated(
            name,
            What::OtherContext,
            format_args!(
                "{name} was called in the context {:#x} of device {}, and its first phase in the context {first:#x}",
                current.handle().addr(),
                current.device()
            ),
        );
    }
}

/// Makes an executor reusable: its second phase may be called any number of times, and `aclDestroyAclOpExecutor`
/// releases it. A second call for the same executor succeeds.
///
/// Returns 561000 for an operator that runs once only, and for an executor that is not of the latest first phase on this
/// thread, because CANN completes the one of that first phase (published source of opbase). It can still run once.
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
    let is_latest = LATEST.get() == executor.addr();
    let set = EXECUTORS.visit(executor.addr(), &mut |executor| {
        let refused = match executor.plan.runs_once() {
            _ if executor.repeatable => None,
            None if !is_latest => Some("another first phase came after its own on this thread"),
            once => once,
        };
        executor.repeatable |= refused.is_none();
        (
            Fate::Keep,
            refused.map(|why| (executor.plan.operator.name, why)),
        )
    });
    match set {
        Some(None) => 0,
        Some(Some((operator, why))) => fail(
            ACLNN_ERR_INNER,
            format_args!("{call}: this executor of {operator} runs once only: {why}"),
        ),
        None => stale(ACLNN_ERR_INNER, call, executor),
    }
}

/// Releases a reusable executor, or an executor whose second phase was never called. Its queued work is not affected.
///
/// Returns 561103 for null and 561000 for a handle of no live executor.
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

/// Ends a one-shot executor whose second phase has failed before it looked at the executor: in CANN none survives a
/// failure of its second phase (published source of opbase). Does nothing for a handle of no live executor.
pub(crate) fn end_executor(executor: *mut aclOpExecutor) {
    EXECUTORS.visit(executor.addr(), &mut |executor| {
        let fate = if executor.repeatable {
            Fate::Keep
        } else {
            Fate::Remove
        };
        (fate, ())
    });
}

/// Runs the second phase of `operator`: checks the workspace and queues the kernel.
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
    let claimed = EXECUTORS.visit(executor.addr(), &mut |executor| {
        let plan = executor.plan();
        // An executor of another operator stays alive: its own second phase can still be called.
        let fate = if core::ptr::eq(plan.operator, operator) && !executor.repeatable {
            Fate::Remove
        } else {
            Fate::Keep
        };
        (fate, (plan, executor.repeatable, executor.context))
    });
    let Some((plan, is_repeatable, context)) = claimed else {
        return stale(ACLNN_ERR_PARAM_INVALID, name, executor);
    };
    if !core::ptr::eq(plan.operator, operator) {
        return fail(
            ACLNN_ERR_PARAM_INVALID,
            format_args!(
                "{name}: {:#x} is an executor of {}",
                executor.addr(),
                plan.operator.name
            ),
        );
    }
    look_at_context(name, context);
    // The order is that of CANN, which checks the pointer for null and never checks the size.
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
    let is_small = workspace_size < plan.asked;
    if is_small {
        violated(
            name,
            What::WrongWorkspace,
            format_args!(
                "{name} was given a workspace of {workspace_size} bytes; its first phase asked for {}",
                plan.asked
            ),
        );
    }
    let len = if is_small { plan.workspace } else { plan.asked };
    let workspace = workspace.addr()..workspace.addr().saturating_add(len as usize);
    if !workspace.is_empty()
        && let Err(code) = check_workspace(name, &workspace, stream)
    {
        return code;
    }
    match addresses(&plan, is_repeatable) {
        Ok(addresses) => submit(name, plan, Some(&addresses), workspace, stream),
        Err((destroyed, tensor)) => {
            check::tell(name, &|checker, site| {
                checker.stale(check::TENSOR, tensor, site);
            });
            fail(
                ACLNN_ERR_PARAM_INVALID,
                format_args!(
                    "{name}: the tensor {destroyed} was destroyed; a repeatable executor reads the \
                     addresses from its tensors in each run"
                ),
            )
        }
    }
}

/// Queues the kernel of a plan without an executor and without a workspace, under the name of its own.
pub(super) fn run(name: &'static str, plan: Plan, stream: aclrtStream) -> aclError {
    submit(name, Arc::new(plan), None, 0..0, stream)
}

/// Returns where the operands of a plan are now, or the name and the handle of one whose tensor no longer exists. An executor that runs
/// once uses the address of its first phase then.
fn addresses(plan: &Plan, is_repeatable: bool) -> Result<Vec<usize>, (&'static str, usize)> {
    let operands = plan.operands.iter().zip(&plan.extents);
    let addresses = operands.map(|(operand, extent)| {
        let address = TENSORS.visit(operand.handle, &mut |tensor| (Fate::Keep, tensor.address));
        let address = match address {
            Some(address) => address,
            None if is_repeatable => return Err((operand.name, operand.handle)),
            None => return Ok(extent.address),
        };
        // The distance from the address of the tensor to its first element stays the same.
        let moved = address.wrapping_sub(operand.tensor.address);
        Ok(extent.address.wrapping_add(moved))
    });
    every(addresses)
}

/// Checks that a workspace is memory of the device that uses it.
fn check_workspace(
    operator: &'static str,
    workspace: &Range<usize>,
    stream: aclrtStream,
) -> Result<(), aclnnStatus> {
    let (start, len) = (workspace.start, workspace.len());
    let Some(owner) = device_of(start, len) else {
        check::tell(operator, &|checker, site| {
            if !checker.refused(Touch::write(start, len), Arc::clone(&site)) {
                let text = format!(
                    "{operator} was given the {len} bytes at {start:#x} as its workspace, which are not memory of one \
                     allocation on a device"
                );
                checker.violation(What::WrongWorkspace, &text, site);
            }
        });
        return Err(fail(
            ACLNN_ERR_PARAM_INVALID,
            format_args!(
                "{operator}: the workspace {start:#x} is not {len} bytes of device memory"
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
            "{operator}: the workspace {start:#x} is memory of device {owner}, the stream is of device {device}"
        ),
    ))
}

/// Reports an operand with memory in the workspace, and returns whether there is one.
fn is_shared(plan: &Plan, spans: &[Span], workspace: &Range<usize>) -> bool {
    let operands = plan.operands.iter().zip(&plan.extents);
    let with_memory = operands.filter(|(_, extent)| extent.span.is_some());
    let mut placed = with_memory.zip(spans);
    let shared =
        placed.find(|((operand, _), span)| operand.tensor.meets(span.address, span.len, workspace));
    let Some(((operand, _), span)) = shared else {
        return false;
    };
    let name = plan.operator.name;
    violated(
        name,
        What::WrongWorkspace,
        format_args!(
            "{name} was given the {} bytes at {:#x} as its workspace, which are memory of {}, {} bytes at {:#x}",
            workspace.len(),
            workspace.start,
            operand.name,
            span.len,
            span.address
        ),
    );
    true
}

/// The byte that fills the copies of operands in the workspace while an operator runs.
const STAGES: u8 = 0xa5;

/// Queues the kernel of a plan.
fn submit(
    name: &'static str,
    plan: Arc<Plan>,
    addresses: Option<&[usize]>,
    workspace: Range<usize>,
    stream: aclrtStream,
) -> aclnnStatus {
    let placed = plan.extents.iter().enumerate();
    let with_memory = placed.filter(|(_, extent)| extent.span.is_some());
    let moved = |slot: usize| addresses?.get(slot).copied();
    let mut spans: Vec<Span> = list_of(with_memory.map(|(slot, extent)| Span {
        address: moved(slot).unwrap_or(extent.address),
        len: extent.len,
        write: extent.is_written,
        dense: extent.is_dense,
        scratch: false,
    }));
    look_for_overlaps(&plan, &spans);
    let operands = spans.len();
    // The workspace is in use until the kernel has run. The checker can report it if the program frees it before.
    if !workspace.is_empty() {
        let is_shared = is_shared(&plan, &spans, &workspace);
        spans.push(Span {
            address: workspace.start,
            len: workspace.len(),
            write: true,
            dense: true,
            scratch: !is_shared,
        });
    }
    // Among these are the tensors of indices.
    let mut numbers = plan.operands.iter().filter(|one| !one.is_written);
    let issuer = numbers
        .any(|one| matches!(one.tensor.dtype, ACL_INT32 | ACL_INT64))
        .then(|| issuer(name))
        .flatten();
    // A kernel without memory is still a task of the stream, so that a wrong stream is noticed.
    let kernel = move |mapped: &[Mapped]| {
        let Some((operands, stages)) = mapped.split_at_checked(operands) else {
            return;
        };
        // CANN stores copies of operands there. The previous content is lost, even if an operand was part of it.
        for stages in stages {
            // SAFETY: the span is valid for writes of `len` bytes.
            unsafe { stages.pointer.write_bytes(STAGES, stages.len) };
        }
        // SAFETY: `submit_kernel` guarantees that each pointer is valid for the memory of its span during the call,
        // and the spans are those of the plan.
        if let Some(views) = unsafe { Views::new(&plan, operands) } {
            (plan.work)(&views);
            if let Some(stray) = views.stray() {
                let text = format!("{name} was given {stray}");
                violated_later(name, issuer.as_ref(), What::IndexOutOfRange, text);
            }
        }
    };
    submit_kernel(stream, name, spans, Arc::new(kernel))
}

/// Returns 561103 for null (manual) and sets the error text.
pub(super) fn null(call: &str) -> aclnnStatus {
    fail(
        ACLNN_ERR_INNER_NULLPTR,
        format_args!("{call}: the executor is null"),
    )
}

/// Returns the code for a handle of no live executor and sets the error text.
pub(super) fn stale(code: aclnnStatus, call: &str, executor: *const aclOpExecutor) -> aclnnStatus {
    check::not_alive(call, "aclOpExecutor", executor.addr());
    fail(
        code,
        format_args!(
            "{call}: {:#x} is not an executor; a one-shot executor serves one second phase, \
             aclSetAclOpExecutorRepeatable allows more",
            executor.addr()
        ),
    )
}
