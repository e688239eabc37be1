//! The controls of limits and aborts.

use super::list::{Control, Judge};
use crate::program::Reach;

pub(super) const LIMITS: &[Control] = &[
    Control {
        name: "only a stream that the program has created is aborted",
        edits: &[(
            "src/stream/abort.rs",
            "        D: DeviceTag,
        S: Created,
",
            "        D: DeviceTag,
",
        )],
        found_by: Judge::Compiler,
        needs: Reach::Alone,
        kind: Some("Abort"),
    },
    Control {
        name: "no wait vouches for an aborted stream",
        edits: &[(
            "src/device/limit.rs",
            "        core.ledger().enter(*key, &Usage::Aborted { name }.into());
",
            "        let _ = name;
",
        )],
        found_by: Judge::Checker,
        needs: Reach::Alone,
        kind: Some("Abort"),
    },
    Control {
        name: "a stream is aborted behind those whose memory it has taken over",
        edits: &[(
            "src/device/limit.rs",
            "    core.parking().has_waited(stream).then_some(",
            "    false.then_some(",
        )],
        found_by: Judge::Checker,
        needs: Reach::Alone,
        kind: Some("Abort"),
    },
    Control {
        name: "a wait that has exceeded its limit proves nothing",
        edits: &[(
            "src/stream/mod.rs",
            "        let waited = check_wait(\"aclrtSynchronizeStreamWithTimeout\", code);
",
            "        let code = if code == sys::ACL_ERROR_RT_STREAM_SYNC_TIMEOUT { 0 } else { code };
        let waited = check_wait(\"aclrtSynchronizeStreamWithTimeout\", code);
",
        )],
        found_by: Judge::Checker,
        needs: Reach::Alone,
        kind: Some("SynchronizeWithin"),
    },
    Control {
        name: "a fence that has exceeded its limit gives nothing back",
        edits: &[(
            "src/event.rs",
            "        match check_wait(\"aclrtSynchronizeEventWithTimeout\", code) {
",
            "        let code = if code == sys::ACL_ERROR_RT_EVENT_SYNC_TIMEOUT { 0 } else { code };
        match check_wait(\"aclrtSynchronizeEventWithTimeout\", code) {
",
        )],
        found_by: Judge::Checker,
        needs: Reach::Alone,
        kind: Some("SynchronizeFenceWithin"),
    },
    Control {
        name: "the host reads the numbers that queued work has written",
        edits: &[(
            "src/queue/transfer.rs",
            "                bytes,
                value.into(),
",
            "                bytes,
                0_u8.into(),
",
        )],
        found_by: Judge::Checker,
        needs: Reach::Alone,
        kind: Some("MemsetAsync"),
    },
];
