//! A graph as a file for timeline viewers (Chrome's, Perfetto).
//!
//! The manual lists the content of the file: the graph, its streams, its tasks and their kinds. The format of a card
//! is not public, so the names of the fields are those of the emulator. A task lasts one unit, in the order of
//! submission. Kernels have no parameters here, so both kinds of files are the same, and no flag is
//! refused.

use std::ffi::{CStr, OsStr, c_char};
use std::fmt::Write;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use ascendcl_sys::{ACL_SUCCESS, aclError, aclmdlRI};

use super::step::{Step, What};
use super::{Graph, find};
use crate::engine::work::Work;
use crate::error::null;
use crate::object_calls::invalid_below;

pub(crate) unsafe extern "C" fn aclmdlRIDebugJsonPrint(
    modelRI: aclmdlRI,
    path: *const c_char,
    _flags: u32,
) -> aclError {
    let call = "aclmdlRIDebugJsonPrint";
    let graph = match find(call, modelRI) {
        Ok(_) if path.is_null() => return null(call, "path"),
        Ok(graph) => graph,
        Err(code) => return code,
    };
    // SAFETY: not null; the caller's contract: a C string.
    let path = unsafe { CStr::from_ptr(path) }.to_bytes();
    if path.is_empty() {
        return invalid_below(call, format_args!("path is empty; pass the name of a file"));
    }
    // The runtime returns success too if the file cannot be written.
    let _ = fs::write(Path::new(OsStr::from_bytes(path)), graph.json());
    ACL_SUCCESS
}

/// Prints a graph into the log of the runtime, which the emulator does not write.
pub(crate) unsafe extern "C" fn aclmdlRIDebugPrint(modelRI: aclmdlRI) -> aclError {
    find("aclmdlRIDebugPrint", modelRI)
        .err()
        .unwrap_or(ACL_SUCCESS)
}

impl Graph {
    /// Returns the JSON text, with one event for each task.
    fn json(&self) -> String {
        let inner = self.lock();
        let mut text = String::from("[");
        for (index, step) in inner.steps.iter().enumerate() {
            let lane = inner.lanes.get(step.lane);
            let stream = lane.map_or(0, |lane| lane.runs.index);
            let comma = if index == 0 { "" } else { "," };
            let (model, name, task) = (self.id, step.name(), index + 1);
            // Writing to a string cannot fail.
            let _ = write!(
                text,
                "{comma}\n{{\"name\":\"{name}\",\"ph\":\"X\",\"ts\":{index},\"dur\":1,\
                 \"pid\":\"model {model}\",\"tid\":\"stream {stream}\",\
                 \"args\":{{\"model_id\":{model},\"stream_id\":{stream},\"task_id\":{task},\
                 \"task_type\":\"{name}\"}}}}"
            );
        }
        text.push_str("\n]\n");
        text
    }
}

impl Step {
    /// Returns the name of the call that submitted the step.
    pub(super) fn name(&self) -> &'static str {
        match &self.what {
            What::Task(task) => task.call(),
            What::Operator(operator) => operator.name(),
            What::Condition(choice) => choice.call(),
            What::Mark => "aclrtRecordEvent",
            What::After(_) => "aclrtStreamWaitEvent",
            What::Start(_) => "aclrtActiveStream",
            What::Label(_) => "aclrtSetLabel",
            What::Switch(_) => "aclrtSwitchLabelByIndex",
        }
    }
}
