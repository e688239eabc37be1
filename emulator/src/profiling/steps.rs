//! The steps of a training.

use ascendcl_sys::{
    ACL_ERROR_GE_FAILURE, ACL_STEP_START, ACL_SUCCESS, aclError, aclprofStepInfo, aclprofStepTag,
    aclrtStream,
};

use crate::object_calls::{Objects, invalid};

use super::mark;

/// Which sides of a step were recorded.
#[derive(Debug, Clone, Copy, Default)]
struct Step {
    started: bool,
    ended: bool,
}

static STEPS: Objects<Step> = Objects::new("aclprofStepInfo", 0x7b);

pub(crate) unsafe extern "C" fn aclprofCreateStepInfo() -> *mut aclprofStepInfo {
    STEPS.create("aclprofCreateStepInfo", Step::default())
}

pub(crate) unsafe extern "C" fn aclprofDestroyStepInfo(stepinfo: *mut aclprofStepInfo) {
    STEPS.destroy("aclprofDestroyStepInfo", "stepinfo", stepinfo);
}

pub(crate) unsafe extern "C" fn aclprofGetStepTimestamp(
    stepInfo: *mut aclprofStepInfo,
    tag: aclprofStepTag,
    stream: aclrtStream,
) -> aclError {
    let call = "aclprofGetStepTimestamp";
    // Every other number is an end, too.
    let is_start = tag == ACL_STEP_START;
    let is_first = STEPS.with(call, "stepInfo", stepInfo, &mut |step| {
        let side = if is_start {
            &mut step.started
        } else {
            &mut step.ended
        };
        !std::mem::replace(side, true)
    });
    match is_first {
        Err(code) => code,
        Ok(false) => invalid(
            call,
            format_args!(
                "the step has its {} already; make a step for each round (aclprofCreateStepInfo)",
                if is_start { "start" } else { "end" }
            ),
        ),
        Ok(true) => {
            let name = if is_start {
                "aclprofGetStepTimestamp (start)"
            } else {
                "aclprofGetStepTimestamp (end)"
            };
            match mark(name, stream) {
                ACL_SUCCESS => ACL_SUCCESS,
                // The text of the failure stays.
                _ => ACL_ERROR_GE_FAILURE,
            }
        }
    }
}
