//! The end of a run, and of a graph.

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use ascendcl_sys::{
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_ERROR_RT_MODEL_CAPTURED, ACL_ERROR_RT_MODEL_RUNNING,
    ACL_SUCCESS, aclError, aclmdlRI, aclrtCallback,
};

use super::condition::Condition;
use super::step::Step;
use super::{Graph, Graphs, Lane, Last, Origin, Phase, find, graphs};
use crate::check;
use crate::engine::host_thread::HostCall;
use crate::engine::{engine, life};
use crate::error::{fail, null_below};
use crate::object_calls::{attempt, invalid_below};

/// A function of the program.
type Function = unsafe extern "C" fn(*mut c_void);

pub(crate) unsafe extern "C" fn aclmdlRIAbort(modelRI: aclmdlRI) -> aclError {
    let call = "aclmdlRIAbort";
    if modelRI.is_null() {
        return null_below(call, "modelRI");
    }
    let graph = attempt!(find(call, modelRI));
    let inner = graph.lock();
    let runs = |last: &&Last| last.task.0.completed() < last.task.1;
    let Some(Last { run, .. }) = inner.last.as_ref().filter(runs) else {
        return ACL_SUCCESS;
    };
    if !matches!(inner.phase, Phase::Complete(Origin::Build)) {
        return fail(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
            format_args!(
                "{call} failed: model instance {} was captured and runs; only built ones are aborted",
                graph.id
            ),
        );
    }
    run.aborted.store(true, Ordering::Relaxed);
    run.give_up();
    // A thread may be asleep because a task of the run had to wait.
    engine().announce();
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclmdlRIDestroy(modelRI: aclmdlRI) -> aclError {
    let call = "aclmdlRIDestroy";
    let destroyed = find(call, modelRI).and_then(|graph| {
        graph.is_root(
            call,
            "it ends with the instance that it belongs to, so destroy that one",
        )?;
        let inner = graph.lock();
        if matches!(inner.phase, Phase::Captured(_)) {
            return Err(fail(
                ACL_ERROR_RT_MODEL_CAPTURED,
                format_args!(
                    "{call} failed: model instance {} is being captured; call aclmdlRICaptureEnd \
                     first",
                    graph.id
                ),
            ));
        }
        let runs = |last: &Last| last.task.0.completed() < last.task.1;
        let is_running = inner.last.as_ref().is_some_and(runs);
        drop(inner);
        check::tell(call, &|checker, site| {
            checker.destroying(modelRI.addr(), &site);
        });
        if is_running {
            return Err(fail(
                ACL_ERROR_RT_MODEL_RUNNING,
                format_args!(
                    "{call} failed: a run of model instance {} is not over; synchronise its stream first",
                    graph.id
                ),
            ));
        }
        let at_end = std::mem::take(&mut graph.lock().at_end);
        destroy(call, &graph);
        at_end.into_iter().for_each(HostCall::run);
        Ok(())
    });
    destroyed.err().unwrap_or(ACL_SUCCESS)
}

/// Registers a function for the end of a graph. It is called by aclmdlRIDestroy, and not by the end of the context
/// (assumption).
pub(crate) unsafe extern "C" fn aclmdlRIDestroyRegisterCallback(
    modelRI: aclmdlRI,
    func: aclrtCallback,
    userData: *mut c_void,
) -> aclError {
    let call = "aclmdlRIDestroyRegisterCallback";
    change_at_end(call, modelRI, func, |at_end, function| {
        if at_end.iter().any(|registered| registered.is_of(function)) {
            return Err("the instance has this function already");
        }
        at_end.push(HostCall::new(function, userData));
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn aclmdlRIDestroyUnregisterCallback(
    modelRI: aclmdlRI,
    func: aclrtCallback,
) -> aclError {
    let call = "aclmdlRIDestroyUnregisterCallback";
    change_at_end(call, modelRI, func, |at_end, function| {
        let place = at_end
            .iter()
            .position(|registered| registered.is_of(function));
        at_end.remove(place.ok_or("the instance does not have this function")?);
        Ok(())
    })
}

/// Changes the functions for the end of a graph.
fn change_at_end(
    call: &str,
    modelRI: aclmdlRI,
    function: aclrtCallback,
    change: impl FnOnce(&mut Vec<HostCall>, Function) -> Result<(), &'static str>,
) -> aclError {
    let (false, Some(function)) = (modelRI.is_null(), function) else {
        return null_below(call, "modelRI or func");
    };
    let graph = attempt!(find(call, modelRI));
    match change(&mut graph.lock().at_end, function) {
        Ok(()) => ACL_SUCCESS,
        Err(why) => invalid_below(call, format_args!("{why}")),
    }
}

/// Ends a graph with its own streams, branches and conditions. Tasks that were submitted to bound streams stay with
/// the streams.
pub(super) fn destroy(call: &str, graph: &Graph) {
    let mut graphs = graphs();
    graphs.remove(graph);
    let remains = graphs.empty(graph);
    drop(graphs);
    graph.tell_end(call);
    remains.end(call);
}

/// Ends the graph of a capture with a mistake. A branch stays, so that the program can capture into it again.
pub(super) fn lose(call: &str, graph: &Graph) {
    if !graph.is_branch {
        return destroy(call, graph);
    }
    let remains = {
        let mut graphs = graphs();
        let remains = graphs.empty(graph);
        graph.lock().phase = Phase::Branch;
        remains
    };
    remains.end(call);
}

/// The objects that belonged to a graph. They are dropped without a lock.
#[derive(Debug)]
struct Remains {
    lanes: Vec<Lane>,
    steps: Vec<Step>,
    conditions: Vec<Arc<Condition>>,
}

impl Graphs {
    /// Removes and returns all objects of a graph.
    fn empty(&mut self, graph: &Graph) -> Remains {
        let mut inner = graph.lock();
        let lanes = std::mem::take(&mut inner.lanes);
        let mut steps = Vec::new();
        for mut step in std::mem::take(&mut inner.steps) {
            let bound = lanes.get(step.lane).filter(|lane| lane.captured.is_none());
            match bound {
                Some(lane) => {
                    step.lane = 0;
                    self.unbound.push((lane.runs.key(), step));
                }
                None => steps.push(step),
            }
        }
        inner.groups.clear();
        Remains {
            lanes,
            steps,
            conditions: std::mem::take(&mut inner.conditions),
        }
    }
}

impl Remains {
    fn end(self, call: &str) {
        for lane in self.lanes.iter().filter(|lane| lane.captured.is_some()) {
            if life::end(call, lane.runs, false) {
                life::put_back(lane.runs);
            }
        }
        let choices = self.steps.iter().filter_map(Step::choice);
        for branch in choices.flat_map(|choice| &choice.branches) {
            destroy(call, branch);
        }
        for condition in &self.conditions {
            condition.tell_end(call);
            condition.free();
        }
    }
}
