//! A graph as a file for timeline viewers (Chrome's, Perfetto).
//!
//! The manual lists the content of the file: the graph, its streams, its tasks and their kinds. The format of a card
//! is not public, so the names of the fields are those of the emulator. A task lasts one unit, in the order of
//! submission. Kernels have no parameters here, so both kinds of files are the same.

use std::ffi::{CStr, OsStr, c_char};
use std::fmt::Write;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use ascendcl_sys::{
    ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID, ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE,
    ACL_SUCCESS, aclError, aclmdlRI,
};

use super::step::{Step, What};
use super::{Graph, find};
use crate::engine::work::Work;
use crate::error::{fail, null};

pub(crate) unsafe extern "C" fn aclmdlRIDebugJsonPrint(
    modelRI: aclmdlRI,
    path: *const c_char,
    flags: u32,
) -> aclError {
    let call = "aclmdlRIDebugJsonPrint";
    let graph = match find(call, modelRI) {
        Ok(_) if path.is_null() => return null(call, "path"),
        Ok(graph) => graph,
        Err(code) => return code,
    };
    if flags > ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE {
        return fail(
            ACL_ERROR_INVALID_PARAM,
            format_args!(
                "{call} failed: flags is {flags}; pass ACL_MDLRI_DEBUG_JSON_PRINT_SUMMARY (0) or \
                 ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE (1)"
            ),
        );
    }
    // SAFETY: not null; the caller's contract: a C string.
    let path = unsafe { CStr::from_ptr(path) }.to_bytes();
    let path = Path::new(OsStr::from_bytes(path));
    match fs::write(path, graph.json()) {
        Ok(()) => ACL_SUCCESS,
        Err(error) => fail(
            ACL_ERROR_RT_PARAM_INVALID,
            format_args!(
                "{call} failed: {} cannot be written: {error}; pass a file in a folder that is there",
                path.display()
            ),
        ),
    }
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
    fn name(&self) -> &'static str {
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
