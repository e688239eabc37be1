//! The decision whether a submitted task is queued or stored in a graph.

use ascendcl_sys::{
    ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC, ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_ERROR_RT_STREAM_CAPTURED, ACL_ERROR_RT_STREAM_MODEL,
    ACL_SUCCESS, aclError,
};

use super::step::{Step, What};
use super::{Graph, Inner, Phase, Role, context_of, graphs};
use crate::check::{self, Usage};
use crate::engine::current::Current;
use crate::engine::slow_path::{self, Reason, Recorder, Way};
use crate::engine::submit::{self, Target};
use crate::engine::task::Task;
use crate::engine::work::Others;
use crate::error::fail;
use crate::object_calls::{attempt, invalid_below};
use crate::observe::violation::What as Crash;
use crate::results::list_of;

/// The hook that the engine calls while a stream has a role.
pub(crate) struct Hook;

impl Recorder for Hook {
    fn way(&self, stream: Target) -> Way {
        if graphs().role(stream).is_some() {
            Way::Keep
        } else {
            Way::Queue
        }
    }

    fn keep(
        &self,
        call: &str,
        stream: Target,
        task: Task,
        large: bool,
        usage: Option<Usage>,
    ) -> aclError {
        // A dropped step releases its event. So the event has two users until the step is stored.
        let mut submitted = task.refers_to_event().then(|| task.again());
        let step = Step {
            lane: 0,
            what: What::Task(task),
            large,
            usage,
        };
        attempt!(keep_step(call, stream, step));
        if let Some(submitted) = &mut submitted {
            submitted.abandon();
        }
        ACL_SUCCESS
    }
}

/// Stores a step of a stream with a role.
pub(super) fn keep_step(call: &str, stream: Target, mut step: Step) -> Result<(), aclError> {
    let mut graphs = graphs();
    let kept = match graphs.role(stream).cloned() {
        Some(Role::Captured(graph, lane)) => {
            step.lane = lane;
            let mut inner = graph.lock();
            inner.admits(call, &graph, &step).map(|()| inner.add(step))
        }
        Some(Role::Persistent(Some((graph, lane)))) => {
            step.lane = lane;
            let mut inner = graph.lock();
            inner.takes(call).map(|()| inner.add(step))
        }
        Some(Role::Persistent(None)) => {
            graphs.unbound.push((stream.key(), step));
            Ok(graphs.unbound.len())
        }
        Some(Role::Updating(graph, group)) => {
            let update = graph.lock().replace(call, group, step);
            // The lock is released: if the queue is full, its tasks have to run.
            drop(graphs);
            return update?.queue(call, stream);
        }
        // The role has ended since the lookup.
        None => Err(submit::stale(call, "stream", 0)),
    };
    submit::remember(kept? as u64);
    Ok(())
}

impl Inner {
    /// Adds a step and returns its number, from 1.
    pub(super) fn add(&mut self, step: Step) -> usize {
        self.steps.push(step);
        self.steps.len()
    }

    /// Checks that a graph that is built by hand accepts further steps.
    fn takes(&self, call: &str) -> Result<(), aclError> {
        if matches!(self.phase, Phase::Built { .. }) {
            return Ok(());
        }
        Err(fail(
            ACL_ERROR_RT_STREAM_MODEL,
            format_args!(
                "{call} failed: the stream is bound to an instance that is complete; unbind it first"
            ),
        ))
    }

    /// Checks that a capture accepts a step.
    pub(super) fn admits(
        &mut self,
        call: &str,
        graph: &Graph,
        step: &Step,
    ) -> Result<(), aclError> {
        if !matches!(self.phase, Phase::Captured(_)) {
            return Err(submit::stale(call, "stream", 0));
        }
        let others = match &step.what {
            What::Task(Task::Other(work)) => work.others(),
            What::Task(Task::HostFunction(_)) => Others::Streams,
            _ => Others::Nobody,
        };
        if others == Others::Thread {
            check::violated(
                step.name(),
                Crash::RuntimeCrash,
                format_args!("{call} with ACL_CALLBACK_BLOCK submits to a captured stream"),
            );
            return Err(fail(
                ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                format_args!(
                    "{call} failed: callbacks that block their stream are not captured; use \
                     ACL_CALLBACK_NO_BLOCK, or aclrtLaunchHostFunc"
                ),
            ));
        }
        if others == Others::Streams {
            graph.takes_others(call)?;
        }
        self.group_takes(call, step.lane, step.is_operator())
            .inspect_err(|_| step.crashes_in_group())
    }
}

/// Accepts the flags of a stream. An emulator without graphs refuses some.
#[inline]
pub(crate) fn allow_flags(_: &str, _: u32) -> Result<(), aclError> {
    Ok(())
}

/// Makes a new stream persistent: its tasks are stored and not queued.
pub(crate) fn persist(stream: Target) {
    graphs().set_role(stream, Some(Role::Persistent(None)));
}

/// Checks that a stream may be destroyed, and removes its role: no further tasks can be submitted through it to a
/// graph.
#[inline]
pub(crate) fn let_go(call: &str, stream: Target) -> Result<(), aclError> {
    if slow_path::is(Reason::Kept) {
        return let_go_kept(call, stream);
    }
    Ok(())
}

#[cold]
fn let_go_kept(call: &str, stream: Target) -> Result<(), aclError> {
    not_captured(call, stream)?;
    let mut graphs = graphs();
    if let Some(Role::Persistent(Some((graph, _)))) = graphs.role(stream) {
        return Err(fail(
            ACL_ERROR_RT_STREAM_MODEL,
            format_args!(
                "{call} failed: the stream is bound to model instance {}; call \
                 aclmdlRIUnbindStream, or aclmdlRIDestroy",
                graph.id
            ),
        ));
    }
    graphs.set_role(stream, None);
    let is_its = |(key, _): &mut (_, Step)| *key == stream.key();
    let lost = list_of(graphs.unbound.extract_if(.., is_its));
    drop(graphs);
    drop(lost);
    Ok(())
}

/// Returns whether a stream is captured.
pub(crate) fn is_captured(stream: Target) -> bool {
    slow_path::is(Reason::Kept) && matches!(graphs().role(stream), Some(Role::Captured(..)))
}

/// Returns whether a graph stores the tasks of a stream.
pub(crate) fn is_kept(stream: Target) -> bool {
    slow_path::is(Reason::Kept) && graphs().role(stream).is_some()
}

/// Returns the stream, unless it is captured. The program cannot wait for, query or destroy a captured stream.
#[inline]
pub(crate) fn not_captured(call: &str, stream: Target) -> Result<Target, aclError> {
    if slow_path::is(Reason::Kept) && matches!(graphs().role(stream), Some(Role::Captured(..))) {
        return Err(captured(call));
    }
    Ok(stream)
}

/// Checks that no stream of a context is captured.
#[inline]
pub(crate) fn none_captured(call: &str, current: &Current) -> Result<(), aclError> {
    let context = (current.index, current.generation);
    if slow_path::is(Reason::Kept) && graphs().captures().any(|of| of.context == context) {
        return Err(captured(call));
    }
    Ok(())
}

#[cold]
fn captured(call: &str) -> aclError {
    fail(
        ACL_ERROR_RT_STREAM_CAPTURED,
        format_args!(
            "{call} failed: a stream is captured, so its tasks do not run; call aclmdlRICaptureEnd first"
        ),
    )
}

/// Checks that the thread may copy or fill without a stream: a capture may forbid it.
#[inline]
pub(crate) fn allow(call: &str, current: &Current) -> Result<(), aclError> {
    if slow_path::is(Reason::Kept) && super::forbids((current.index, current.generation)) {
        return Err(forbidden(call, ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT));
    }
    Ok(())
}

/// Checks that a stream may copy ordinary host memory, which is copied at once.
#[inline]
pub(crate) fn allow_pageable(call: &str, stream: Target) -> Result<(), aclError> {
    if slow_path::is(Reason::Kept) {
        return allow_pageable_kept(call, stream);
    }
    Ok(())
}

#[cold]
fn allow_pageable_kept(call: &str, stream: Target) -> Result<(), aclError> {
    // Persistent streams copy ordinary host memory at once, like all other streams.
    if matches!(graphs().role(stream), Some(Role::Captured(..))) {
        return Err(invalid_below(
            call,
            format_args!(
                "a capture cannot copy ordinary host memory, because its tasks run \
                 later; use aclrtMallocHost"
            ),
        ));
    }
    if super::forbids(context_of(stream.stream)) {
        return Err(forbidden(call, ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC));
    }
    Ok(())
}

#[cold]
fn forbidden(call: &str, code: aclError) -> aclError {
    fail(
        code,
        format_args!(
            "{call} failed: it copies or fills at once, which the mode of a capture forbids this \
             thread; switch with aclmdlRICaptureThreadExchangeMode, or wait for the capture's end"
        ),
    )
}
