//! The controls of counters, of what processes share, and of settings.

use super::list::{Control, Judge};
use crate::program::Reach;

pub(super) const SIGNALS: &[Control] = &[
    Control {
        name: "a counter is destroyed behind the streams that use it",
        edits: &[(
            "src/event/cnt_notify.rs",
            "self.core.parking().park(&lock(&self.users), parked);",
            "self.core.parking().park(&lock(&self.users)[..0], parked);",
        )],
        found_by: Judge::Checker,
        needs: Reach::Counters,
        kind: Some("AwaitCount"),
    },
    Control {
        name: "a counter is changed by streams of its device",
        edits: &[(
            "src/event/cnt_notify.rs",
            "        counter: &CntNotify<'_, impl SameDevice<D>>,
        change: CntNotifyRecord,
",
            "        counter: &CntNotify<'_, impl AnyDevice>,
        change: CntNotifyRecord,
",
        )],
        found_by: Judge::Compiler,
        needs: Reach::Counters,
        kind: Some("Count"),
    },
    Control {
        name: "shared memory ends behind its work",
        edits: &[(
            "src/share/operand.rs",
            "        parking.park(users, self.into_parked());
",
            "        let _ = (parking, users);
        drop(self);
",
        )],
        found_by: Judge::Checker,
        needs: Reach::Shares,
        kind: Some("Export"),
    },
    Control {
        name: "an export ends on its device",
        edits: &[(
            "src/share/memory.rs",
            "        _current: impl OfDevice<Current<'t, 'dev, D>>,
    ) -> Result<DeviceBuf<'dev, D, [T]>>
",
            "        _current: Current<'t, 'dev, impl AnyDevice>,
    ) -> Result<DeviceBuf<'dev, D, [T]>>
",
        )],
        found_by: Judge::Compiler,
        needs: Reach::Shares,
        kind: Some("CloseExport"),
    },
    Control {
        name: "a size is set before a device",
        edits: &[(
            "src/settings/limit.rs",
            "    pub fn set_device_limit(&mut self, ",
            "    pub fn set_device_limit(&self, ",
        )],
        found_by: Judge::Compiler,
        needs: Reach::Settings,
        kind: Some("SetSize"),
    },
    Control {
        name: "the limit of a stream ends with its block",
        edits: &[(
            "src/settings/cores.rs",
            "                Some(outer) => self.use_in_thread(outer),
",
            "                Some(_) => Ok(()),
",
        )],
        found_by: Judge::Checker,
        needs: Reach::Settings,
        kind: Some("WithCores"),
    },
];
