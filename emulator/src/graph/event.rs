//! Events on streams whose tasks a graph stores.

use std::ptr;
use std::sync::Arc;

use ascendcl_sys::{
    ACL_ERROR_RT_CAPTURE_DEPENDENCY, ACL_ERROR_RT_EVENT_CAPTURED, ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
    ACL_ERROR_STREAM_CAPTURE_CONFLICT, aclError, aclrtEvent,
};

use super::step::{Step, What};
use super::{Graph, Graphs, Role, can_be_captured, graphs};
use crate::engine::current::current;
use crate::engine::signal::{Event, EventKind};
use crate::engine::slow_path::{self, Reason};
use crate::engine::submit::{self, Target};
use crate::engine::task::{Task, Waited};
use crate::error::fail;
use crate::sync::MutexGuard;

/// The reason why a capture refuses an event.
const NO_EX: &str = "a capture takes events of aclrtCreateEventExWithFlag, and external ones";

/// The names of external records and waits. They do not order the tasks of a capture, although the event could.
pub(crate) const EXTERNAL_RECORD: &str = "aclrtRecordEventWithFlag with ACL_EVENT_RECORD_EXTERNAL";
pub(crate) const EXTERNAL_WAIT: &str = "aclrtStreamWaitEventWithFlag with ACL_EVENT_WAIT_EXTERNAL";

/// Records an event on a stream whose tasks a graph stores; `None` for another stream.
#[cold]
pub(crate) fn record(
    call: &str,
    stream: Target,
    event: &'static Event,
    handle: aclrtEvent,
) -> Option<Result<(), aclError>> {
    let graphs = graphs();
    match graphs.role(stream)?.clone() {
        Role::Captured(graph, lane) => Some(if is_part(call, event) {
            graphs.mark(call, (&graph, lane), event, handle.addr())
        } else {
            graphs.flag(call, (&graph, lane), event, keep_record(event))
        }),
        Role::Persistent(_) => Some(keep_bound(call, graphs, stream, event, keep_record(event))),
        Role::Updating(..) => Some(Err(in_update(call))),
    }
}

/// Resets an event on a stream whose tasks a graph stores; `None` for another stream.
#[cold]
pub(crate) fn reset(
    call: &str,
    stream: Target,
    event: &'static Event,
) -> Option<Result<(), aclError>> {
    let graphs = graphs();
    let role = graphs.role(stream)?.clone();
    event.refer();
    let task = Step::new(0, What::Task(Task::Reset(event)));
    match role {
        Role::Captured(graph, lane) => Some(graphs.flag(call, (&graph, lane), event, task)),
        Role::Persistent(_) => Some(keep_bound(call, graphs, stream, event, task)),
        Role::Updating(..) => Some(Err(in_update(call))),
    }
}

/// Makes a stream wait for an event if a graph stores the stream's tasks or the event is captured. Otherwise `None`.
#[cold]
pub(crate) fn wait(
    call: &str,
    stream: Target,
    event: &'static Event,
    handle: aclrtEvent,
    limit: u32,
) -> Option<Result<(), aclError>> {
    let mut graphs = graphs();
    let role = graphs.role(stream).cloned();
    if is_part(call, event)
        && let Some((of, mark)) = graphs.captured(handle.addr())
    {
        return Some(match role {
            Some(Role::Captured(graph, _)) if graph.id != of.id => {
                graph.lock().invalidate();
                of.lock().invalidate();
                Err(conflict(call, handle))
            }
            Some(Role::Captured(_, lane)) => after(call, &of, lane, mark),
            Some(_) => Err(unsupported(
                call,
                "the stream's tasks are kept for another instance",
            )),
            None => graphs
                .join(call, &of, stream)
                .and_then(|lane| after(call, &of, lane, mark)),
        });
    }
    let keep_wait = || {
        event.refer_to_wait();
        let on = Waited {
            event,
            limit,
            since: None,
        };
        Step::new(0, What::Task(Task::WaitFlag { on }))
    };
    match role? {
        Role::Captured(..) if is_part(call, event) && !matches!(event.kind(), EventKind::Ex(_)) => {
            Some(Err(unsupported(call, NO_EX)))
        }
        Role::Captured(..) if is_part(call, event) => {
            // An event that was recorded outside is not part of the capture. An event that was never recorded needs
            // no wait.
            event.latest().map(|_| {
                Err(fail(
                    ACL_ERROR_RT_CAPTURE_DEPENDENCY,
                    format_args!(
                        "{call} failed: event {handle:p} was recorded outside of the capture; record \
                         it on a captured stream first"
                    ),
                ))
            })
        }
        Role::Captured(graph, lane) => Some(graphs.flag(call, (&graph, lane), event, keep_wait())),
        Role::Persistent(_) => Some(keep_bound(call, graphs, stream, event, keep_wait())),
        Role::Updating(..) => Some(Err(in_update(call))),
    }
}

/// Checks that no capture has an event's record, so that the host may query the event.
#[inline(always)]
pub(crate) fn event_not_captured(call: &str, event: aclrtEvent) -> Result<(), aclError> {
    if slow_path::is(Reason::Kept) && graphs().captured(event.addr()).is_some() {
        return Err(fail(
            ACL_ERROR_RT_EVENT_CAPTURED,
            format_args!(
                "{call} failed: event {event:p} is part of a capture, so it has no state; call \
                 aclmdlRICaptureEnd first"
            ),
        ));
    }
    Ok(())
}

/// Returns whether a call uses an event as a point of the capture. All other calls use the event as a flag, which is
/// set, awaited and cleared when the graph runs.
fn is_part(call: &str, event: &Event) -> bool {
    let is_flag = call.ends_with("Notify") || [EXTERNAL_RECORD, EXTERNAL_WAIT].contains(&call);
    !event.kind().is_external() && !is_flag
}

fn keep_record(event: &'static Event) -> Step {
    event.refer();
    Step::new(0, What::Task(Task::Record(event)))
}

/// Adds a wait for a mark to a lane.
fn after(call: &str, graph: &Graph, lane: usize, mark: usize) -> Result<(), aclError> {
    let mut inner = graph.lock();
    inner.group_takes(call, lane, false)?;
    let number = inner.add(Step::new(lane, What::After(mark)));
    submit::remember(number as u64);
    Ok(())
}

/// Stores a task of a flag on a persistent stream.
fn keep_bound(
    call: &str,
    graphs: MutexGuard<'_, Graphs>,
    stream: Target,
    event: &Event,
    step: Step,
) -> Result<(), aclError> {
    drop(graphs);
    if !matches!(event.kind(), EventKind::WithFlag(_)) {
        return Err(unsupported(
            call,
            "a persistent stream takes events of aclrtCreateEventWithFlag only",
        ));
    }
    super::keep_step(call, stream, step)
}

impl Graphs {
    /// Returns the capture with an event's latest record, and the index of the record.
    fn captured(&self, event: usize) -> Option<(Arc<Graph>, usize)> {
        self.captures().find_map(|graph| {
            let mark = graph.lock().capture()?.mark(event)?;
            Some((Arc::clone(graph), mark))
        })
    }

    /// Adds a stream to a capture and returns its lane.
    fn join(&mut self, call: &str, graph: &Arc<Graph>, stream: Target) -> Result<usize, aclError> {
        let joined = can_be_captured(call, stream).and_then(|()| {
            let mut inner = graph.lock();
            if let Some(capture) = inner.capture() {
                capture.is_valid(call)?;
            }
            inner.join(call, &current(call)?, stream)
        });
        match joined {
            Ok(lane) => {
                let role = Role::Captured(Arc::clone(graph), lane);
                self.set_role(stream, Some(role));
            }
            Err(_) => graph.lock().invalidate(),
        }
        joined
    }

    /// Records an event in a capture.
    fn mark(
        &self,
        call: &str,
        (graph, lane): (&Arc<Graph>, usize),
        event: &Event,
        handle: usize,
    ) -> Result<(), aclError> {
        if !matches!(event.kind(), EventKind::Ex(_)) {
            return Err(unsupported(call, NO_EX));
        }
        graph.lock().group_takes(call, lane, false)?;
        if !event.kind().is_awaitable() {
            // No stream can wait for this event, so the record has no effect on the order.
            return Ok(());
        }
        let other = self.captured(handle).filter(|(of, _)| of.id != graph.id);
        let mut inner = graph.lock();
        if let Some((other, _)) = other {
            inner.invalidate();
            drop(inner);
            other.lock().invalidate();
            return Err(conflict(call, ptr::without_provenance_mut(handle)));
        }
        let number = inner.add(Step::new(lane, What::Mark));
        if let Some(capture) = inner.capture() {
            capture.marks.retain(|(event, _)| *event != handle);
            capture.marks.push((handle, number - 1));
        }
        submit::remember(number as u64);
        Ok(())
    }

    /// Stores a task of a flag in a capture. The flag is a notify or an external event.
    fn flag(
        &self,
        call: &str,
        (graph, lane): (&Arc<Graph>, usize),
        event: &Event,
        mut step: Step,
    ) -> Result<(), aclError> {
        if is_part(call, event) {
            return Err(unsupported(call, NO_EX));
        }
        graph.takes_others(call)?;
        let mut inner = graph.lock();
        inner.group_takes(call, lane, false)?;
        step.lane = lane;
        let number = inner.add(step);
        submit::remember(number as u64);
        Ok(())
    }
}

#[cold]
fn conflict(call: &str, event: aclrtEvent) -> aclError {
    fail(
        ACL_ERROR_STREAM_CAPTURE_CONFLICT,
        format_args!(
            "{call} failed: event {event:p} and the stream belong to different captures, which are \
             both useless now; captures share no events"
        ),
    )
}

#[cold]
fn in_update(call: &str) -> aclError {
    unsupported(
        call,
        "the stream updates a task group, which has operators only",
    )
}

#[cold]
fn unsupported(call: &str, why: &str) -> aclError {
    fail(
        ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
        format_args!("{call} failed: {why}"),
    )
}
