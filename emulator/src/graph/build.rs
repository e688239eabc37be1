//! Building an instance by hand: persistent streams are bound to it, and their tasks are its work.

use ascendcl_sys::{
    ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_INTERNAL_ERROR, ACL_ERROR_RT_MODEL_EXECUTE,
    ACL_ERROR_RT_PARAM_INVALID, ACL_ERROR_RT_STREAM_MODEL, ACL_MODEL_STREAM_FLAG_DEFAULT,
    ACL_MODEL_STREAM_FLAG_HEAD, ACL_SUCCESS, aclError, aclmdlRI, aclrtStream,
};

use std::ffi::c_void;
use std::sync::Arc;

use super::step::{Step, What};
use super::{Inner, Instance, Lane, Origin, Phase, Role, find, models};
use crate::engine::current::current;
use crate::engine::submit::{self, Target, own};
use crate::error::{fail, null};

pub(crate) unsafe extern "C" fn aclmdlRIBuildBegin(modelRI: *mut aclmdlRI, flag: u32) -> aclError {
    let call = "aclmdlRIBuildBegin";
    if modelRI.is_null() {
        return null(call, "modelRI");
    }
    if flag != 0 {
        return invalid(
            call,
            format_args!("flag is {flag:#x}; it is reserved, pass 0"),
        );
    }
    let current = match current(call) {
        Ok(current) => current,
        Err(code) => return code,
    };
    let instance = models().create(&current, Phase::Built { ended: false });
    instance.tell_start(call);
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { modelRI.write(instance.handle()) };
    ACL_SUCCESS
}

#[cold]
fn invalid(call: &str, what: std::fmt::Arguments<'_>) -> aclError {
    fail(
        ACL_ERROR_RT_PARAM_INVALID,
        format_args!("{call} failed: {what}"),
    )
}

/// The code for a stream and an instance that do not belong together.
#[cold]
fn unrelated(call: &str, why: &str) -> aclError {
    fail(
        ACL_ERROR_RT_STREAM_MODEL,
        format_args!("{call} failed: {why}"),
    )
}

pub(crate) unsafe extern "C" fn aclmdlRIBindStream(
    modelRI: aclmdlRI,
    stream: aclrtStream,
    flag: u32,
) -> aclError {
    let call = "aclmdlRIBindStream";
    if modelRI.is_null() {
        return null(call, "modelRI");
    }
    if flag != ACL_MODEL_STREAM_FLAG_HEAD && flag != ACL_MODEL_STREAM_FLAG_DEFAULT {
        return invalid(
            call,
            format_args!(
                "flag is {flag:#x}; pass ACL_MODEL_STREAM_FLAG_HEAD (0) or \
                 ACL_MODEL_STREAM_FLAG_DEFAULT (0x7fffffff)"
            ),
        );
    }
    let is_head = flag == ACL_MODEL_STREAM_FLAG_HEAD;
    let bound = find(call, modelRI).and_then(|instance| {
        let target = named(call, stream)?;
        bind(call, &instance, target, is_head)
    });
    bound.err().unwrap_or(ACL_SUCCESS)
}

/// A stream that has to be named, and belongs to the current context.
fn named(call: &str, stream: aclrtStream) -> Result<Target, aclError> {
    if stream.is_null() {
        return Err(invalid(
            call,
            format_args!("stream is NULL; pass a stream with the flag ACL_STREAM_PERSISTENT"),
        ));
    }
    submit::find(call, stream).and_then(|found| own(call, found))
}

fn bind(
    call: &str,
    instance: &Arc<Instance>,
    target: Target,
    is_head: bool,
) -> Result<(), aclError> {
    let mut models = models();
    match models.role(target) {
        Some(Role::Persistent(None)) => {}
        Some(Role::Persistent(Some(_))) => {
            return Err(unrelated(
                call,
                "the stream is bound already; unbind it first",
            ));
        }
        _ => {
            return Err(invalid(
                call,
                format_args!(
                    "the stream is not persistent; create it with aclrtCreateStreamWithConfig and \
                     ACL_STREAM_PERSISTENT"
                ),
            ));
        }
    }
    let mut inner = instance.lock();
    inner.is_built(call, instance)?;
    let lane = inner.lanes.len();
    inner.lanes.push(Lane {
        runs: target,
        captured: None,
        is_head,
    });
    // What the stream was given before is part of its work.
    let is_its = |(key, _): &mut (_, Step)| *key == target.key();
    for (_, mut step) in models.unbound.extract_if(.., is_its) {
        step.lane = lane;
        inner.add(step);
    }
    drop(inner);
    let role = Role::Persistent(Some((Arc::clone(instance), lane)));
    models.set_role(target, Some(role));
    Ok(())
}

impl Inner {
    /// Checks that the instance is being built.
    fn is_built(&self, call: &str, instance: &Instance) -> Result<(), aclError> {
        if matches!(self.phase, Phase::Built { .. }) {
            return Ok(());
        }
        Err(unrelated(
            call,
            &format!(
                "model instance {} was captured, or aclmdlRIBuildEnd has completed it",
                instance.id
            ),
        ))
    }
}

/// The lane of an instance that a stream is bound as.
fn lane_of(call: &str, instance: &Instance, stream: Target) -> Result<usize, aclError> {
    match models().role(stream) {
        Some(Role::Persistent(Some((of, lane)))) if of.id == instance.id => Ok(*lane),
        _ => Err(unrelated(
            call,
            "the stream is not bound to the instance; call aclmdlRIBindStream first",
        )),
    }
}

pub(crate) unsafe extern "C" fn aclmdlRIEndTask(
    modelRI: aclmdlRI,
    stream: aclrtStream,
) -> aclError {
    let call = "aclmdlRIEndTask";
    if modelRI.is_null() {
        return null(call, "modelRI");
    }
    let ended = find(call, modelRI).and_then(|instance| {
        let target = named(call, stream)?;
        if lane_of(call, &instance, target).is_err() {
            return Err(fail(
                ACL_ERROR_RT_INTERNAL_ERROR,
                format_args!(
                    "{call} failed: the stream is not bound to model instance {}; call \
                     aclmdlRIBindStream first",
                    instance.id
                ),
            ));
        }
        let mut inner = instance.lock();
        inner.is_built(call, &instance)?;
        inner.phase = Phase::Built { ended: true };
        Ok(())
    });
    ended.err().unwrap_or(ACL_SUCCESS)
}

pub(crate) unsafe extern "C" fn aclmdlRIBuildEnd(
    modelRI: aclmdlRI,
    reserve: *mut c_void,
) -> aclError {
    let call = "aclmdlRIBuildEnd";
    if modelRI.is_null() {
        return null(call, "modelRI");
    }
    if !reserve.is_null() {
        return fail(
            ACL_ERROR_INVALID_PARAM,
            format_args!("{call} failed: reserve is {reserve:p}; it is reserved, pass NULL"),
        );
    }
    let built = find(call, modelRI).and_then(|instance| {
        let mut inner = instance.lock();
        inner.is_built(call, &instance)?;
        if inner.lanes.is_empty() {
            return Err(unrelated(
                call,
                "no stream is bound to the instance; call aclmdlRIBindStream first",
            ));
        }
        if matches!(inner.phase, Phase::Built { ended: false }) {
            return Err(fail(
                ACL_ERROR_RT_MODEL_EXECUTE,
                format_args!(
                    "{call} failed: no stream of the instance was ended; call aclmdlRIEndTask first"
                ),
            ));
        }
        inner.check_jumps(call)?;
        inner.phase = Phase::Complete(Origin::Build);
        Ok(())
    });
    built.err().unwrap_or(ACL_SUCCESS)
}

pub(crate) unsafe extern "C" fn aclmdlRIUnbindStream(
    modelRI: aclmdlRI,
    stream: aclrtStream,
) -> aclError {
    let call = "aclmdlRIUnbindStream";
    if modelRI.is_null() {
        return null(call, "modelRI");
    }
    let unbound = find(call, modelRI).and_then(|instance| {
        let target = named(call, stream)?;
        let lane = lane_of(call, &instance, target)?;
        let mut models = models();
        let mut inner = instance.lock();
        // The lane stays, so that the numbers of the others do.
        if let Some(lane) = inner.lanes.get_mut(lane) {
            lane.is_head = false;
        }
        for mut step in inner.steps.extract_if(.., |step| step.lane == lane) {
            step.lane = 0;
            models.unbound.push((target.key(), step));
        }
        drop(inner);
        models.set_role(target, Some(Role::Persistent(None)));
        Ok(())
    });
    unbound.err().unwrap_or(ACL_SUCCESS)
}

/// Lets a bound stream start another one, which a run does not begin with.
pub(crate) unsafe extern "C" fn aclrtActiveStream(
    activeStream: aclrtStream,
    stream: aclrtStream,
) -> aclError {
    let call = "aclrtActiveStream";
    if activeStream.is_null() {
        return null(call, "activeStream");
    }
    let started = named(call, stream).and_then(|target| {
        let other = named(call, activeStream)?;
        let (instance, lane) = match models().role(target).cloned() {
            Some(Role::Persistent(Some(bound))) => bound,
            _ => {
                return Err(unrelated(
                    call,
                    "stream is not bound to a model instance; call aclmdlRIBindStream first",
                ));
            }
        };
        let other = lane_of(call, &instance, other)?;
        super::keep_step(call, target, Step::new(lane, What::Start(other)))
    });
    started.err().unwrap_or(ACL_SUCCESS)
}
