//! Records and waits with a flag (`acl/acl_rt.h`): inside of a capture, or external to it.
//!
//! An external record or wait does not order the tasks of the capture. Each run executes it: the event has its record
//! from the call that starts the run, and a wait is for the latest record at that call. CANN also refuses an event
//! that was used with the other flag before; the emulator accepts both flags.

use ascendcl_sys::{
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_EVENT_RECORD_DEFAULT, ACL_EVENT_RECORD_EXTERNAL,
    ACL_EVENT_WAIT_DEFAULT, ACL_EVENT_WAIT_EXTERNAL, aclError, aclrtEvent, aclrtStream,
};

use super::{find, record, wait};
use crate::engine::signal::EventKind;
use crate::engine::submit::{self, own};
use crate::error::fail;
use crate::graph;
use crate::object_calls::{attempt, invalid, invalid_below, not_null};

const RECORD: &str = "aclrtRecordEventWithFlag";
const WAIT: &str = "aclrtStreamWaitEventWithFlag";

pub(crate) unsafe extern "C" fn aclrtRecordEventWithFlag(
    event: aclrtEvent,
    stream: aclrtStream,
    flag: u32,
) -> aclError {
    attempt!(not_null(RECORD, "event", event));
    match flag {
        ACL_EVENT_RECORD_DEFAULT => record(RECORD, event, stream),
        ACL_EVENT_RECORD_EXTERNAL => match check_external(RECORD, event, stream) {
            Ok(()) => record(graph::EXTERNAL_RECORD, event, stream),
            Err(code) => code,
        },
        _ => unknown(
            RECORD,
            "flag",
            flag,
            "ACL_EVENT_RECORD_DEFAULT (0) or ACL_EVENT_RECORD_EXTERNAL (1)",
        ),
    }
}

pub(crate) unsafe extern "C" fn aclrtStreamWaitEventWithFlag(
    stream: aclrtStream,
    event: aclrtEvent,
    timeout: u32,
    flag: u32,
) -> aclError {
    attempt!(not_null(WAIT, "event", event));
    match flag {
        ACL_EVENT_WAIT_DEFAULT => {
            let seconds = i32::try_from(timeout).unwrap_or(i32::MAX);
            wait(WAIT, stream, event, Some(seconds))
        }
        ACL_EVENT_WAIT_EXTERNAL if timeout != 0 => {
            unknown(WAIT, "timeout", timeout, "0: an external wait has none")
        }
        ACL_EVENT_WAIT_EXTERNAL => match check_external(WAIT, event, stream) {
            Ok(()) => wait(graph::EXTERNAL_WAIT, stream, event, Some(0)),
            Err(code) => code,
        },
        _ => unknown(
            WAIT,
            "flag",
            flag,
            "ACL_EVENT_WAIT_DEFAULT (0) or ACL_EVENT_WAIT_EXTERNAL (1)",
        ),
    }
}

#[cold]
fn unknown(call: &str, argument: &str, value: u32, remedy: &str) -> aclError {
    invalid(call, format_args!("{argument} is {value}; pass {remedy}"))
}

/// Checks the requirements of an external record or wait: a kind of event that can be recorded again, and a captured
/// stream.
fn check_external(
    call: &'static str,
    event: aclrtEvent,
    stream: aclrtStream,
) -> Result<(), aclError> {
    let found = submit::find(call, stream)?;
    if !matches!(find(call, event)?.kind(), EventKind::Ex(_)) {
        return Err(fail(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
            format_args!(
                "{call} failed: the flag takes events of aclrtCreateEventExWithFlag; {event:p} is none"
            ),
        ));
    }
    if graph::is_captured(own(call, found)?) {
        return Ok(());
    }
    Err(invalid_below(
        call,
        format_args!("the stream is not captured, so nothing is outside; pass flag 0"),
    ))
}
