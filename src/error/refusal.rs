//! Refusals of a wait: the codes with which the runtime says that it has waited for nothing.
//!
//! The runtime reports a failed task once, to one wait. So a wait that returns an error has to count as one that took such
//! a report, unless its code says that the call was refused before it waited. A refusal takes no report, so it spoils no
//! stream. It is no proof either.
//!
//! In the published source of the runtime (CANN 8.5 and newer), each of these codes stands for internal errors of one
//! kind, and all of them are checks in front of the wait.
//!
//! | code | what refuses the wait | seen on the production runtime |
//! |---|---|---|
//! | 100000 to 106999 | the arguments, or AscendCL is not initialised: the layer above the runtime | yes |
//! | 107002 | the thread has no context | yes |
//! | 107003 | the stream is of another context | yes |
//! | 107027 | the stream is captured; for a wait for the device, some stream of the context, on any thread and in any mode | yes, on the capturing thread |
//! | 107028 | the event was recorded in a capture | yes |
//! | 107030, 107041 | a copy that waits, while a capture allows no blocking call | 107030 |
//!
//! Codes that look alike and are no refusals: 107000 and 107017 are codes of the driver too, which the runtime asks while
//! it waits. 107020 is a task that waited for too long (observed, once, at the next wait). 107022, 107023 and 107035 say
//! that work was aborted. The codes from 207000 on are of resources, and those from 507000 on are of work.

use ascendcl_sys as sys;

/// Whether a call that waits was refused before it waited.
pub(super) fn is(code: sys::aclError) -> bool {
    matches!(
        code,
        100_000
            ..=106_999
                | sys::ACL_ERROR_RT_CONTEXT_NULL
                | sys::ACL_ERROR_RT_STREAM_CONTEXT
                | sys::ACL_ERROR_RT_STREAM_CAPTURED
                | sys::ACL_ERROR_RT_EVENT_CAPTURED
                | sys::ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT
                | sys::ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC
    )
}
