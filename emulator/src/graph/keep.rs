//! What becomes of a submitted task: it is queued, or kept for a model instance.

use ascendcl_sys::{
    ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC, ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_ERROR_RT_PARAM_INVALID,
    ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT, ACL_ERROR_RT_STREAM_CAPTURED, ACL_ERROR_RT_STREAM_MODEL,
    ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT, ACL_SUCCESS, aclError,
};

use super::step::{Step, What};
use super::{Inner, Instance, Phase, Role, context_of, models};
use crate::check::Usage;
use crate::engine::current::Current;
use crate::engine::detour::{self, Keeper, Reason, Way};
use crate::engine::submit::{self, Target};
use crate::engine::task::Task;
use crate::engine::work::Others;
use crate::error::fail;

/// What the engine asks while a stream has a role.
pub(crate) struct Graphs;

impl Keeper for Graphs {
    fn way(&self, call: &str, stream: Target) -> Way {
        let models = models();
        if models.role(stream).is_some() {
            return Way::Keep;
        }
        let context = context_of(stream.stream);
        if stream.stream.is_default() && models.captures().any(|of| of.context == context) {
            return Way::Refuse(fail(
                ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT,
                format_args!(
                    "{call} failed: the default stream takes no work while a stream of its context is \
                     captured; pass a stream that you created"
                ),
            ));
        }
        Way::Queue
    }

    fn keep(
        &self,
        call: &str,
        stream: Target,
        task: Task,
        large: bool,
        usage: Option<Usage>,
    ) -> aclError {
        // A step that is dropped leaves its event, too: so there are two users until it is kept.
        let mut submitted = task.refers_to_event().then(|| task.again());
        let step = Step {
            lane: 0,
            what: What::Task(task),
            large,
            usage,
        };
        if let Err(code) = keep_step(call, stream, step) {
            return code;
        }
        if let Some(submitted) = &mut submitted {
            submitted.abandon();
        }
        ACL_SUCCESS
    }
}

/// Keeps a step of a stream with a role.
pub(super) fn keep_step(call: &str, stream: Target, mut step: Step) -> Result<(), aclError> {
    let mut models = models();
    let kept = match models.role(stream).cloned() {
        Some(Role::Captured(instance, lane)) => {
            step.lane = lane;
            let mut inner = instance.lock();
            inner
                .admits(call, &instance, &step)
                .map(|()| inner.add(step))
        }
        Some(Role::Persistent(Some((instance, lane)))) => {
            step.lane = lane;
            let mut inner = instance.lock();
            inner.takes(call).map(|()| inner.add(step))
        }
        Some(Role::Persistent(None)) => {
            models.unbound.push((stream.key(), step));
            Ok(models.unbound.len())
        }
        Some(Role::Updating(instance, group)) => {
            let update = instance.lock().replace(call, group, step);
            // Where the queue is full, the tasks in it have to run.
            drop(models);
            return update?.queue(call, stream);
        }
        // The role has ended since it was looked up.
        None => Err(submit::stale(call, "stream", 0)),
    };
    submit::remember(kept? as u64);
    Ok(())
}

impl Inner {
    /// Adds a step; gives its number, from 1.
    pub(super) fn add(&mut self, step: Step) -> usize {
        self.steps.push(step);
        self.steps.len()
    }

    /// Whether an instance that is built takes further steps.
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

    /// Whether a capture takes a step.
    pub(super) fn admits(
        &mut self,
        call: &str,
        instance: &Instance,
        step: &Step,
    ) -> Result<(), aclError> {
        let Phase::Captured(capture) = &mut self.phase else {
            return Err(submit::stale(call, "stream", 0));
        };
        capture.is_valid(call)?;
        let others = match &step.what {
            What::Task(Task::Other(work)) => work.others(),
            What::Task(Task::HostFunction(_)) => Others::Streams,
            _ => Others::Nobody,
        };
        if others == Others::Thread {
            return Err(fail(
                ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                format_args!(
                    "{call} failed: callbacks of a subscribed thread are not captured; use \
                     aclrtLaunchHostFunc"
                ),
            ));
        }
        if others == Others::Streams {
            instance.takes_others(call)?;
        }
        if capture.has_open_group(step.lane) && !step.is_operator() {
            return Err(fail(
                ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT,
                format_args!(
                    "{call} failed: a task group takes operators only; call \
                     aclmdlRICaptureTaskGrpEnd first"
                ),
            ));
        }
        Ok(())
    }
}

/// A new stream of this kind keeps what is submitted to it.
pub(crate) fn persist(stream: Target) {
    models().set_role(stream, Some(Role::Persistent(None)));
}

/// A stream is about to be destroyed: nothing may be submitted through it to an instance any more.
#[inline]
pub(crate) fn let_go(call: &str, stream: Target) -> Result<(), aclError> {
    if detour::is(Reason::Kept) {
        return let_go_kept(call, stream);
    }
    Ok(())
}

#[cold]
fn let_go_kept(call: &str, stream: Target) -> Result<(), aclError> {
    not_captured(call, stream)?;
    let mut models = models();
    if let Some(Role::Persistent(Some((instance, _)))) = models.role(stream) {
        return Err(fail(
            ACL_ERROR_RT_STREAM_MODEL,
            format_args!(
                "{call} failed: the stream is bound to model instance {}; call \
                 aclmdlRIUnbindStream, or aclmdlRIDestroy",
                instance.id
            ),
        ));
    }
    models.set_role(stream, None);
    let is_its = |(key, _): &mut (_, Step)| *key == stream.key();
    let lost: Vec<_> = models.unbound.extract_if(.., is_its).collect();
    drop(models);
    drop(lost);
    Ok(())
}

/// Whether a stream is captured.
pub(crate) fn is_captured(stream: Target) -> bool {
    detour::is(Reason::Kept) && matches!(models().role(stream), Some(Role::Captured(..)))
}

/// The stream, unless it is captured: then nobody waits for it, asks about it or ends it.
#[inline]
pub(crate) fn not_captured(call: &str, stream: Target) -> Result<Target, aclError> {
    if detour::is(Reason::Kept) && matches!(models().role(stream), Some(Role::Captured(..))) {
        return Err(captured(call));
    }
    Ok(stream)
}

/// Checks that no stream of a context is captured.
#[inline]
pub(crate) fn none_captured(call: &str, current: &Current) -> Result<(), aclError> {
    let context = (current.index, current.generation);
    if detour::is(Reason::Kept) && models().captures().any(|of| of.context == context) {
        return Err(captured(call));
    }
    Ok(())
}

#[cold]
fn captured(call: &str) -> aclError {
    fail(
        ACL_ERROR_RT_STREAM_CAPTURED,
        format_args!(
            "{call} failed: a stream is captured, which runs nothing; call aclmdlRICaptureEnd first"
        ),
    )
}

/// Checks that the thread may copy or fill without a stream: a capture may forbid it.
#[inline]
pub(crate) fn allow(call: &str, current: &Current) -> Result<(), aclError> {
    if detour::is(Reason::Kept) && super::forbids((current.index, current.generation)) {
        return Err(forbidden(call, ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT));
    }
    Ok(())
}

/// Checks that a stream may be given ordinary host memory to copy, which is copied at once.
#[inline]
pub(crate) fn allow_pageable(call: &str, stream: Target) -> Result<(), aclError> {
    if detour::is(Reason::Kept) {
        return allow_pageable_kept(call, stream);
    }
    Ok(())
}

#[cold]
fn allow_pageable_kept(call: &str, stream: Target) -> Result<(), aclError> {
    // Other streams whose work is kept copy at once, as ever.
    if matches!(models().role(stream), Some(Role::Captured(..))) {
        return Err(fail(
            ACL_ERROR_RT_PARAM_INVALID,
            format_args!(
                "{call} failed: ordinary host memory cannot be part of a capture, which copies when \
                 it runs; use aclrtMallocHost"
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]
    use super::*;
    use crate::API;
    use crate::engine::engine;
    use crate::handles::slots::Found;
    use ascendcl_sys::ACL_MODEL_RI_CAPTURE_MODE_RELAXED;
    use std::ptr;

    #[test]
    fn a_task_that_is_refused_leaves_its_event_to_the_submitter() {
        let (mut stream, mut handle, mut instance) =
            (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        // SAFETY: takes a number.
        assert_eq!(unsafe { (API.device.aclrtSetDevice)(0) }, 0);
        // SAFETY: valid for a write.
        assert_eq!(unsafe { (API.stream.aclrtCreateStream)(&mut stream) }, 0);
        // SAFETY: valid for a write.
        assert_eq!(unsafe { (API.event.aclrtCreateEvent)(&mut handle) }, 0);
        let mode = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;
        // SAFETY: a live stream.
        assert_eq!(unsafe { (API.model.aclmdlRICaptureBegin)(stream, mode) }, 0);
        // SAFETY: a live stream.
        let group = unsafe { (API.model.aclmdlRICaptureTaskGrpBegin)(stream) };
        assert_eq!(group, 0);

        let target = submit::find("", stream).unwrap().unwrap();
        let Found::Live { slot: event, .. } = engine().events.find(handle) else {
            unreachable!("it was made just now");
        };
        for _ in 0..2 {
            // The handle alone is a user.
            assert!(event.refer_as(handle));
            let task = Task::Record(event);
            assert_eq!(
                Graphs.keep("", target, task, false, None),
                ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT
            );
            event.release();
        }

        // SAFETY: a live stream; valid for a write.
        let end = unsafe { (API.model.aclmdlRICaptureEnd)(stream, &mut instance) };
        assert_ne!(end, 0, "a group is open");
        // SAFETY: a live event, which is not used again.
        assert_eq!(unsafe { (API.event.aclrtDestroyEvent)(handle) }, 0);
        // SAFETY: a live stream, which is not used again.
        assert_eq!(unsafe { (API.stream.aclrtDestroyStream)(stream) }, 0);
    }
}
