//! Building a graph by hand: the program binds persistent streams to it, and their tasks become tasks of the graph.

use ascendcl_sys::{
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_ERROR_RT_INTERNAL_ERROR, ACL_ERROR_RT_MODEL_EXECUTE,
    ACL_ERROR_RT_STREAM_MODEL, ACL_MODEL_STREAM_FLAG_DEFAULT, ACL_MODEL_STREAM_FLAG_HEAD,
    ACL_SUCCESS, aclError, aclmdlRI, aclrtStream,
};

use std::ffi::c_void;
use std::sync::Arc;

use super::step::{Step, What};
use super::{Graph, Inner, Lane, Origin, Phase, Role, find, graphs};
use crate::engine::current::current;
use crate::engine::submit::{self, Target, own};
use crate::error::{fail, null};
use crate::object_calls::{attempt, invalid, invalid_below, not_null};

pub(crate) unsafe extern "C" fn aclmdlRIBuildBegin(modelRI: *mut aclmdlRI, flag: u32) -> aclError {
    let call = "aclmdlRIBuildBegin";
    attempt!(not_null(call, "modelRI", modelRI));
    if flag != 0 {
        return invalid_below(
            call,
            format_args!("flag is {flag:#x}; it is reserved, pass 0"),
        );
    }
    let current = attempt!(current(call));
    let graph = graphs().create(&current, Phase::Built { ended: false });
    graph.tell_start(call);
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { modelRI.write(graph.handle()) };
    ACL_SUCCESS
}

/// Returns the code for a stream that does not belong to the graph.
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
    attempt!(not_null(call, "modelRI", modelRI));
    if flag != ACL_MODEL_STREAM_FLAG_HEAD && flag != ACL_MODEL_STREAM_FLAG_DEFAULT {
        return invalid_below(
            call,
            format_args!(
                "flag is {flag:#x}; pass ACL_MODEL_STREAM_FLAG_HEAD (0) or \
                 ACL_MODEL_STREAM_FLAG_DEFAULT (0x7fffffff)"
            ),
        );
    }
    let is_head = flag == ACL_MODEL_STREAM_FLAG_HEAD;
    let bound = find(call, modelRI).and_then(|graph| {
        let target = named(call, stream)?;
        bind(call, &graph, target, is_head)
    });
    bound.err().unwrap_or(ACL_SUCCESS)
}

/// Returns a stream, which must belong to the current context. NULL is the default stream, which is never bound.
fn named(call: &str, stream: aclrtStream) -> Result<Target, aclError> {
    submit::find(call, stream).and_then(|found| own(call, found))
}

fn bind(call: &str, graph: &Arc<Graph>, target: Target, is_head: bool) -> Result<(), aclError> {
    let mut graphs = graphs();
    match graphs.role(target) {
        Some(Role::Persistent(None)) => {}
        Some(Role::Persistent(Some(_))) => {
            return Err(unrelated(
                call,
                "the stream is bound already; unbind it first",
            ));
        }
        _ if target.stream.is_default() => {
            return Err(fail(
                ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                format_args!("{call} failed: the default stream cannot be bound; create a stream"),
            ));
        }
        _ => {
            return Err(invalid_below(
                call,
                format_args!(
                    "the stream is not persistent; create it with aclrtCreateStreamWithConfig and \
                     ACL_STREAM_PERSISTENT"
                ),
            ));
        }
    }
    let mut inner = graph.lock();
    inner.is_built(call, graph)?;
    let lane = inner.lanes.len();
    inner.lanes.push(Lane {
        runs: target,
        captured: None,
        is_head,
    });
    // Tasks that were submitted to the stream before it was bound belong to the graph too.
    let is_its = |(key, _): &mut (_, Step)| *key == target.key();
    for (_, mut step) in graphs.unbound.extract_if(.., is_its) {
        step.lane = lane;
        inner.add(step);
    }
    drop(inner);
    let role = Role::Persistent(Some((Arc::clone(graph), lane)));
    graphs.set_role(target, Some(role));
    Ok(())
}

impl Inner {
    /// Checks that the build of the graph has not ended.
    fn is_built(&self, call: &str, graph: &Graph) -> Result<(), aclError> {
        if matches!(self.phase, Phase::Built { .. }) {
            return Ok(());
        }
        Err(unrelated(
            call,
            &format!(
                "model instance {} was captured, or aclmdlRIBuildEnd has completed it",
                graph.id
            ),
        ))
    }
}

/// Returns the lane of a bound stream in its graph.
fn lane_of(call: &str, graph: &Graph, stream: Target) -> Result<usize, aclError> {
    match graphs().role(stream) {
        Some(Role::Persistent(Some((of, lane)))) if of.id == graph.id => Ok(*lane),
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
    attempt!(not_null(call, "modelRI", modelRI));
    let ended = find(call, modelRI).and_then(|graph| {
        let target = named(call, stream)?;
        if lane_of(call, &graph, target).is_err() {
            return Err(fail(
                ACL_ERROR_RT_INTERNAL_ERROR,
                format_args!(
                    "{call} failed: the stream is not bound to model instance {}; call \
                     aclmdlRIBindStream first",
                    graph.id
                ),
            ));
        }
        let mut inner = graph.lock();
        inner.is_built(call, &graph)?;
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
    attempt!(not_null(call, "modelRI", modelRI));
    if !reserve.is_null() {
        return invalid(
            call,
            format_args!("reserve is {reserve:p}; it is reserved, pass NULL"),
        );
    }
    let built = find(call, modelRI).and_then(|graph| {
        let mut inner = graph.lock();
        inner.is_built(call, &graph)?;
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
        graph.tell_complete(&inner);
        Ok(())
    });
    built.err().unwrap_or(ACL_SUCCESS)
}

pub(crate) unsafe extern "C" fn aclmdlRIUnbindStream(
    modelRI: aclmdlRI,
    stream: aclrtStream,
) -> aclError {
    let call = "aclmdlRIUnbindStream";
    attempt!(not_null(call, "modelRI", modelRI));
    let unbound = find(call, modelRI).and_then(|graph| {
        let target = named(call, stream)?;
        let lane = lane_of(call, &graph, target)?;
        let mut graphs = graphs();
        let mut inner = graph.lock();
        // The lane is not removed, so that the numbers of the other lanes do not change.
        if let Some(lane) = inner.lanes.get_mut(lane) {
            lane.is_head = false;
        }
        for mut step in inner.steps.extract_if(.., |step| step.lane == lane) {
            step.lane = 0;
            graphs.unbound.push((target.key(), step));
        }
        graph.tell_complete(&inner);
        drop(inner);
        graphs.set_role(target, Some(Role::Persistent(None)));
        Ok(())
    });
    unbound.err().unwrap_or(ACL_SUCCESS)
}

/// Queues a task of a bound stream that starts another bound stream. A run does not begin with that other stream.
pub(crate) unsafe extern "C" fn aclrtActiveStream(
    activeStream: aclrtStream,
    stream: aclrtStream,
) -> aclError {
    let call = "aclrtActiveStream";
    if activeStream.is_null() || stream.is_null() {
        return null(call, "activeStream or stream");
    }
    let started = named(call, stream).and_then(|target| {
        let other = named(call, activeStream)?;
        let (graph, lane) = match graphs().role(target).cloned() {
            Some(Role::Persistent(Some(bound))) => bound,
            _ => {
                return Err(unrelated(
                    call,
                    "stream is not bound to a model instance; call aclmdlRIBindStream first",
                ));
            }
        };
        let other = lane_of(call, &graph, other)?;
        super::keep_step(call, target, Step::new(lane, What::Start(other)))
    });
    started.err().unwrap_or(ACL_SUCCESS)
}
