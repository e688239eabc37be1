//! The controls that a test of `tests/it` finds: their rules show in no program of a few steps on one thread.

use super::list::{Control, Judge};
use crate::program::Reach;

pub(super) const TESTED: &[Control] = &[
    Control {
        name: "a pair tells both of its pictures that they were accepted",
        edits: &[(
            "src/queue/mod.rs",
            "        self.0.accepted();
        self.1.accepted();
",
            "",
        )],
        found_by: Judge::Test("unproven::a_failed_result_is_good_in_no_wrapper"),
        needs: Reach::Alone,
        kind: None,
    },
    Control {
        name: "a picture forgets the tasks that have succeeded",
        edits: &[(
            "src/media/work.rs",
            "            self.prune();
",
            "",
        )],
        found_by: Judge::Test("loops::media_of_the_first_interface"),
        needs: Reach::Alone,
        kind: None,
    },
    Control {
        name: "a share forgets the streams that have ended",
        edits: &[(
            "src/queue/shared.rs",
            "                dropped.retain(|(home, user)| home.may_have_work(*user));
",
            "",
        )],
        found_by: Judge::Test("loops::readers_of_one_share"),
        needs: Reach::Alone,
        kind: None,
    },
    Control {
        name: "a wait that a capture refuses has not failed",
        edits: &[(
            "src/error/refusal.rs",
            "                | sys::ACL_ERROR_RT_STREAM_CAPTURED
",
            "",
        )],
        found_by: Judge::Test(
            "graph_beside::a_capture_of_other_code_ends_no_scope_and_poisons_no_stream",
        ),
        needs: Reach::Alone,
        kind: None,
    },
    Control {
        name: "beside a capture, a scope waits for the streams that lent memory was moved into",
        edits: &[(
            "src/device/ledger.rs",
            "                Some((Reach::Open(stream), is_own)) => wait(key, stream, is_own)?,",
            "                Some((Reach::Open(stream), is_own)) => { let _ = (&mut wait, key, stream, is_own); }",
        )],
        found_by: Judge::Test(
            "graph_beside::a_scope_waits_for_later_streams_of_a_name_beside_a_capture",
        ),
        needs: Reach::Alone,
        kind: None,
    },
    Control {
        name: "a scope ends its registrations",
        edits: &[(
            "src/scope.rs",
            "        self.shared.end(self.current);
",
            "",
        )],
        found_by: Judge::Test(
            "scope_registered::forgotten_leases_panics_and_returns_end_registrations",
        ),
        needs: Reach::Alone,
        kind: None,
    },
    Control {
        name: "a panic ends the limits of cores",
        edits: &[(
            "src/settings/cores.rs",
            "        release::in_drop(self.end());
",
            "",
        )],
        found_by: Judge::Test("settings::limits_of_streams_end_with_their_closure"),
        needs: Reach::Alone,
        kind: None,
    },
    Control {
        name: "a shared notify is destroyed behind its work",
        edits: &[(
            "src/share/notify.rs",
            "self.core.parking().park(&self.users, parked);",
            "self.core.parking().park(&self.users[..0], parked);",
        )],
        found_by: Judge::Test("share::what_is_dropped_while_it_is_queued_ends_behind_its_work"),
        needs: Reach::Alone,
        kind: None,
    },
    Control {
        name: "a shared event is destroyed behind its work",
        edits: &[(
            "src/share/event.rs",
            "self.core.parking().park(&self.users, parked);",
            "self.core.parking().park(&self.users[..0], parked);",
        )],
        found_by: Judge::Test(
            "share::event::an_event_that_no_process_awaits_ends_behind_its_record",
        ),
        needs: Reach::Alone,
        kind: None,
    },
];
