//! The profiler (`acl/acl_prof.h`).
//!
//! A program names a folder (`aclprofInit`), starts and stops profiling of devices, and marks its own events with stamps.
//! The emulator records the tasks of these devices with their times, and the stamps. It writes both as a file of the
//! folder when the last device stops, or else when the profiler or the process ends. The file is a Chrome trace, and not
//! in the format of msprof. Its head says so, and lists the kinds of data that the program asked for and the emulator
//! does not have: the emulator measures no AI cores and no hardware.
//!
//! Codes and checks are those of CANN 9.0 (its public source, `hicann/runtime`). Later releases accept some calls that
//! are refused here, such as `aclprofStart` without `aclprofInit`.
//!
//! `config` has the configurations, `session` the state between `aclprofInit` and `aclprofFinalize`, `result` the file,
//! `stamps` the events of the program, `steps` the steps of a training, `described` operators of the
//! program, and `subscription` what is refused.

mod config;
mod described;
mod result;
mod session;
mod stamps;
mod steps;
mod subscription;

pub(crate) use config::{aclprofCreateConfig, aclprofDestroyConfig, aclprofSetConfig};
pub(crate) use described::{aclprofRangePop, aclprofRangePushEx, aclprofStr2Id};
pub(crate) use session::{aclprofFinalize, aclprofInit, aclprofStart, aclprofStop, exit};
pub(crate) use stamps::{
    aclprofCreateStamp, aclprofDestroyStamp, aclprofMark, aclprofMarkEx, aclprofPop, aclprofPush,
    aclprofRangeStart, aclprofRangeStop, aclprofSetStampTraceMessage,
};
pub(crate) use steps::{aclprofCreateStepInfo, aclprofDestroyStepInfo, aclprofGetStepTimestamp};
pub(crate) use subscription::{
    aclprofCreateSubscribeConfig, aclprofDestroySubscribeConfig, aclprofGetModelId,
    aclprofGetOpAttriValue, aclprofGetOpDescSize, aclprofGetOpDuration, aclprofGetOpEnd,
    aclprofGetOpFlag, aclprofGetOpName, aclprofGetOpNameLen, aclprofGetOpNum, aclprofGetOpStart,
    aclprofGetOpType, aclprofGetOpTypeLen, aclprofModelSubscribe, aclprofModelUnSubscribe,
};

use ascendcl_sys::{aclError, aclrtStream};

use crate::engine::queue::Stream;
use crate::engine::submit::{find, own, push};
use crate::engine::task::{Fault, Task};
use crate::engine::work::Work;
use crate::object_calls::attempt;

/// What functions of stamps return for each failure.
const FAILED: aclError = -1;

/// A mark in a stream, which does nothing: the timeline has the time of its turn.
#[derive(Debug)]
struct Mark(&'static str);

impl Work for Mark {
    fn call(&self) -> &'static str {
        self.0
    }

    fn run(&mut self, _: &'static Stream, _: u64) -> Result<(), Fault> {
        Ok(())
    }

    fn again(&self) -> Box<dyn Work> {
        Box::new(Mark(self.0))
    }
}

/// Queues a mark.
fn mark(call: &'static str, stream: aclrtStream) -> aclError {
    let target = attempt!(find(call, stream).and_then(|found| own(call, found)));
    push(call, target, false, |_| Task::Other(Box::new(Mark(call))))
}
