//! Capturing streams: their tasks do not run but become a graph.
//!
//! A capture begins with one stream. Another stream joins it with a wait for an event that was recorded in the
//! capture. Before the capture ends, the first stream has to wait for all streams that joined.

use std::ptr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::{self, ThreadId};

use ascendcl_sys::{
    ACL_ERROR_RT_INTERNAL_ERROR, ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT,
    ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED, ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED,
    ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD, ACL_ERROR_RT_STREAM_CAPTURED,
    ACL_ERROR_RT_STREAM_NOT_CAPTURED, ACL_ERROR_RT_STREAM_UNJOINED,
    ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT, ACL_ERROR_STREAM_TASK_GROUP_STATUS,
    ACL_MODEL_RI_CAPTURE_MODE_RELAXED, ACL_STREAM_PERSISTENT, ACL_SUCCESS, aclError, aclmdlRI,
    aclmdlRICaptureMode, aclrtStream,
};

use super::mode::is_mode;
use super::step::{Step, What};
use super::{Graph, Graphs, Inner, Lane, Origin, Phase, Role, graphs, lose};
use crate::engine::current::{Current, current};
use crate::engine::life;
use crate::engine::submit::{self, Target, is_synchronised, own};
use crate::error::{fail, null_below};
use crate::object_calls::{attempt, not_null};

/// A capture that has not ended.
#[derive(Debug)]
pub(super) struct Capture {
    pub(super) thread: ThreadId,
    pub(super) mode: aclmdlRICaptureMode,
    /// Whether a call has made the capture invalid.
    pub(super) invalid: bool,
    /// The latest mark of each event that was recorded in the capture: the event's handle, and the mark's index in
    /// the steps.
    pub(super) marks: Vec<(usize, usize)>,
    pub(super) open_groups: Vec<OpenGroup>,
}

/// A task group that has not ended.
#[derive(Debug)]
pub(super) struct OpenGroup {
    pub(super) lane: usize,
    /// The index of the first step.
    pub(super) first: usize,
    /// Whether a task was refused because it is no operator.
    pub(super) refused: bool,
}

impl Capture {
    /// Makes a capture of the calling thread.
    pub(super) fn new(mode: aclmdlRICaptureMode) -> Capture {
        Capture {
            thread: thread::current().id(),
            mode,
            invalid: false,
            marks: Vec::new(),
            open_groups: Vec::new(),
        }
    }

    /// Checks that the capture is valid.
    pub(super) fn is_valid(&self, call: &str) -> Result<(), aclError> {
        if self.invalid {
            return Err(fail(
                ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED,
                format_args!(
                    "{call} failed: an earlier call has made the capture useless; call \
                     aclmdlRICaptureEnd, and begin again"
                ),
            ));
        }
        Ok(())
    }

    /// Returns the index of an event's latest mark.
    pub(super) fn mark(&self, event: usize) -> Option<usize> {
        let found = self.marks.iter().find(|(handle, _)| *handle == event);
        found.map(|(_, step)| *step)
    }

    pub(super) fn has_open_group(&self, lane: usize) -> bool {
        self.open_groups.iter().any(|group| group.lane == lane)
    }
}

impl Inner {
    /// Returns the capture, unless it has ended.
    pub(super) fn capture(&mut self) -> Option<&mut Capture> {
        match &mut self.phase {
            Phase::Captured(capture) => Some(capture),
            _ => None,
        }
    }

    /// Makes the capture invalid.
    pub(super) fn invalidate(&mut self) {
        if let Some(capture) = self.capture() {
            capture.invalid = true;
        }
    }

    /// Checks that the open task group of a lane takes a task. A task that is no operator makes the capture useless, and
    /// the group refuses all further ones.
    ///
    /// A useless capture takes tasks outside of groups and loses them at its end (source of the runtime).
    pub(super) fn group_takes(
        &mut self,
        call: &str,
        lane: usize,
        is_operator: bool,
    ) -> Result<(), aclError> {
        let Some(capture) = self.capture() else {
            return Ok(());
        };
        let mut groups = capture.open_groups.iter_mut();
        let group = groups.find(|group| group.lane == lane);
        let Some(group) = group.filter(|group| group.refused || !is_operator) else {
            return Ok(());
        };
        group.refused = true;
        capture.invalid = true;
        Err(fail(
            ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT,
            format_args!(
                "{call} failed: a task group takes operators only, and the capture is useless now; call \
                 aclmdlRICaptureTaskGrpEnd before other tasks"
            ),
        ))
    }

    /// Adds a stream to the capture and returns its lane.
    pub(super) fn join(
        &mut self,
        call: &str,
        current: &Current,
        captured: Target,
    ) -> Result<usize, aclError> {
        let priority = captured.stream.priority.load(Ordering::Relaxed);
        let runs = life::add(call, current, priority, ACL_STREAM_PERSISTENT)?;
        self.lanes.push(Lane {
            runs,
            captured: Some(captured),
            is_head: true,
        });
        Ok(self.lanes.len() - 1)
    }
}

/// Checks that a stream can be captured.
pub(super) fn can_be_captured(call: &str, target: Target) -> Result<(), aclError> {
    if target.stream.is_default() {
        return Err(fail(
            ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT,
            format_args!("{call} failed: the default stream cannot be captured; create one"),
        ));
    }
    if !is_synchronised(target.stream) {
        return Err(fail(
            ACL_ERROR_RT_INTERNAL_ERROR,
            format_args!(
                "{call} failed: a stream with the flag ACL_STREAM_PERSISTENT, \
                 ACL_STREAM_CPU_SCHEDULE or ACL_STREAM_DEVICE_USE_ONLY cannot be captured"
            ),
        ));
    }
    Ok(())
}

pub(crate) unsafe extern "C" fn aclmdlRICaptureBegin(
    stream: aclrtStream,
    mode: aclmdlRICaptureMode,
) -> aclError {
    let call = "aclmdlRICaptureBegin";
    attempt!(not_null(call, "stream", stream));
    let begun = submit::find(call, stream).and_then(|found| {
        is_mode(call, mode)?;
        let target = own(call, found)?;
        can_be_captured(call, target)?;
        begin(call, &current(call)?, target, mode)
    });
    begun.err().unwrap_or(ACL_SUCCESS)
}

/// Checks that no capture and no update already takes a stream's tasks.
pub(super) fn is_free(call: &str, graphs: &Graphs, target: Target) -> Result<(), aclError> {
    if graphs.role(target).is_some() {
        return Err(fail(
            ACL_ERROR_RT_STREAM_CAPTURED,
            format_args!(
                "{call} failed: the stream is captured, or updates a task group, already; end that \
                 first"
            ),
        ));
    }
    Ok(())
}

fn begin(
    call: &str,
    current: &Current,
    target: Target,
    mode: aclmdlRICaptureMode,
) -> Result<(), aclError> {
    let mut graphs = graphs();
    is_free(call, &graphs, target)?;
    let graph = graphs.create(current, Phase::Captured(Capture::new(mode)));
    let joined = graph.lock().join(call, current, target);
    match joined {
        Ok(lane) => {
            graph.tell_start(call);
            graphs.set_role(target, Some(Role::Captured(graph, lane)));
            Ok(())
        }
        Err(code) => {
            graphs.remove(&graph);
            Err(code)
        }
    }
}

pub(crate) unsafe extern "C" fn aclmdlRICaptureEnd(
    stream: aclrtStream,
    modelRI: *mut aclmdlRI,
) -> aclError {
    let call = "aclmdlRICaptureEnd";
    attempt!(not_null(call, "stream", stream));
    let ended = submit::find(call, stream).and_then(|found| {
        let target = own(call, found)?;
        let graph = begun_by(call, target)?;
        if modelRI.is_null() {
            return Err(null_below(call, "modelRI"));
        }
        end(call, &graph, Ok(()))
    });
    match ended {
        Ok(graph) => {
            // SAFETY: not null; the caller's contract: valid for a write.
            unsafe { modelRI.write(graph) };
            ACL_SUCCESS
        }
        Err(code) => {
            if !modelRI.is_null() {
                // SAFETY: not null; the caller's contract: valid for a write.
                unsafe { modelRI.write(ptr::null_mut()) };
            }
            code
        }
    }
}

/// Ends the capture that a stream began, without a graph: an injected fault makes [`aclmdlRICaptureEnd`] fail, and the
/// runtime loses the capture in each failure behind the check of the stream.
///
/// # Safety
///
/// - `modelRI` is null or valid for a write.
pub(crate) unsafe fn fail_end(stream: aclrtStream, modelRI: *mut aclmdlRI) {
    let call = "aclmdlRICaptureEnd";
    let found = submit::find(call, stream).and_then(|found| own(call, found));
    let role = found.map(|target| graphs().role(target).cloned());
    if let Ok(Some(Role::Captured(graph, 0))) = role {
        let _ = end(call, &graph, Err(ACL_ERROR_RT_INTERNAL_ERROR));
        if !modelRI.is_null() {
            // SAFETY: not null; the caller's contract: valid for a write.
            unsafe { modelRI.write(ptr::null_mut()) };
        }
    }
}

/// Returns the capture that a stream began.
fn begun_by(call: &str, target: Target) -> Result<Arc<Graph>, aclError> {
    match graphs().role(target) {
        Some(Role::Captured(graph, 0)) => Ok(Arc::clone(graph)),
        Some(Role::Captured(..)) => Err(fail(
            ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED,
            format_args!(
                "{call} failed: the stream joined a capture that another one began; end it there"
            ),
        )),
        _ => Err(fail(
            ACL_ERROR_RT_STREAM_NOT_CAPTURED,
            format_args!("{call} failed: the stream is not captured; begin first"),
        )),
    }
}

/// Ends a capture. A capture with a mistake ends too, without a graph, and so does one that `before` makes fail.
fn end(call: &str, graph: &Graph, before: Result<(), aclError>) -> Result<aclmdlRI, aclError> {
    let mut graphs = graphs();
    let mut inner = graph.lock();
    let checked = before.and_then(|()| inner.is_in_order(call));
    graphs.leave(&inner, graph);
    if checked.is_ok() {
        inner.phase = Phase::Complete(Origin::Capture);
        graph.tell_complete(&inner);
    }
    drop(inner);
    drop(graphs);
    match checked {
        Ok(()) => Ok(graph.handle()),
        Err(code) => {
            lose(call, graph);
            Err(code)
        }
    }
}

impl Graphs {
    /// Removes the streams from a capture.
    fn leave(&mut self, inner: &Inner, graph: &Graph) {
        for captured in inner.lanes.iter().filter_map(|lane| lane.captured) {
            if matches!(self.role(captured), Some(Role::Captured(of, _)) if of.id == graph.id) {
                self.set_role(captured, None);
            }
        }
    }
}

impl Inner {
    /// Checks that a capture can become a graph.
    fn is_in_order(&mut self, call: &str) -> Result<(), aclError> {
        let Some(capture) = self.capture() else {
            return Err(submit::stale(call, "stream", 0));
        };
        if capture.mode != ACL_MODEL_RI_CAPTURE_MODE_RELAXED
            && capture.thread != thread::current().id()
        {
            return Err(fail(
                ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD,
                format_args!(
                    "{call} failed: another thread began the capture, which is lost now; end it \
                     there, or begin it with ACL_MODEL_RI_CAPTURE_MODE_RELAXED"
                ),
            ));
        }
        capture.is_valid(call)?;
        if !capture.open_groups.is_empty() {
            return Err(fail(
                ACL_ERROR_STREAM_TASK_GROUP_STATUS,
                format_args!(
                    "{call} failed: a task group is open; call aclmdlRICaptureTaskGrpEnd first"
                ),
            ));
        }
        let unjoined = (1..self.lanes.len()).find(|lane| !self.is_joined(*lane));
        if let Some(lane) = unjoined {
            return Err(fail(
                ACL_ERROR_RT_STREAM_UNJOINED,
                format_args!(
                    "{call} failed: the {lane}. stream that joined the capture was not joined back; \
                     record an event last on it, and let the stream that began wait for it"
                ),
            ));
        }
        self.has_all_branches(call)
    }

    /// Returns whether the lane's last step is a record for which the first lane waits, directly or through other
    /// lanes.
    fn is_joined(&self, lane: usize) -> bool {
        let mut reached = vec![false; self.lanes.len()];
        let mut todo = vec![lane];
        while let Some(lane) = todo.pop() {
            if lane == 0 {
                return true;
            }
            let last = self.steps.iter().rposition(|step| step.lane == lane);
            let waits = |step: &Step| matches!(step.what, What::After(mark) if Some(mark) == last);
            let further = self.steps.iter().filter(|step| waits(step));
            for next in further.map(|step| step.lane) {
                if let Some(reached) = reached.get_mut(next).filter(|reached| !**reached) {
                    *reached = true;
                    todo.push(next);
                }
            }
        }
        false
    }
}
