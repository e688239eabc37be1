//! The file of a profile: its name, and the head that says what it is.

use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

use ascendcl_sys::{
    ACL_AICORE_NONE, ACL_PROF_ACL_API, ACL_PROF_AICORE_METRICS, ACL_PROF_AICPU, ACL_PROF_API_STATS,
    ACL_PROF_GE_API_L0, ACL_PROF_GE_API_L1, ACL_PROF_HCCL_TRACE, ACL_PROF_L2CACHE,
    ACL_PROF_MSPROFTX, ACL_PROF_OP_ATTR, ACL_PROF_RUNTIME_API, ACL_PROF_TASK_MEMORY,
    ACL_PROF_TASK_TIME, ACL_PROF_TASK_TIME_L0, ACL_PROF_TASK_TIME_L2, ACL_PROF_TASK_TIME_L3,
    ACL_PROF_TRAINING_TRACE, aclprofConfigType,
};
use tinyjson::JsonValue;

use super::config::Config;
use crate::results::list_of;

/// The kinds of data, their names, and whether the file has them.
const KINDS: [(u64, &str, bool); 17] = [
    (ACL_PROF_ACL_API, "ACL_PROF_ACL_API", false),
    (ACL_PROF_TASK_TIME, "ACL_PROF_TASK_TIME", true),
    (ACL_PROF_AICORE_METRICS, "ACL_PROF_AICORE_METRICS", false),
    (ACL_PROF_AICPU, "ACL_PROF_AICPU", false),
    (ACL_PROF_L2CACHE, "ACL_PROF_L2CACHE", false),
    (ACL_PROF_HCCL_TRACE, "ACL_PROF_HCCL_TRACE", true),
    (ACL_PROF_TRAINING_TRACE, "ACL_PROF_TRAINING_TRACE", true),
    (ACL_PROF_MSPROFTX, "ACL_PROF_MSPROFTX", true),
    (ACL_PROF_RUNTIME_API, "ACL_PROF_RUNTIME_API", false),
    (ACL_PROF_GE_API_L0, "ACL_PROF_GE_API_L0", false),
    (ACL_PROF_TASK_TIME_L0, "ACL_PROF_TASK_TIME_L0", true),
    (ACL_PROF_TASK_MEMORY, "ACL_PROF_TASK_MEMORY", false),
    (ACL_PROF_TASK_TIME_L2, "ACL_PROF_TASK_TIME_L2", false),
    (ACL_PROF_OP_ATTR, "ACL_PROF_OP_ATTR", false),
    (ACL_PROF_TASK_TIME_L3, "ACL_PROF_TASK_TIME_L3", false),
    (ACL_PROF_GE_API_L1, "ACL_PROF_GE_API_L1", false),
    (ACL_PROF_API_STATS, "ACL_PROF_API_STATS", false),
];

/// The bits of all kinds.
pub(super) const KNOWN: u64 = {
    let (mut all, mut rest) = (0, KINDS.as_slice());
    while let [(bit, ..), next @ ..] = rest {
        (all, rest) = (all | *bit, next);
    }
    all
};

/// What a file is about.
#[derive(Debug, Default)]
pub(super) struct About {
    devices: Vec<u32>,
    kinds: u64,
    metrics: Vec<String>,
    options: Vec<(aclprofConfigType, String)>,
}

impl About {
    /// Adds what a configuration asks for.
    pub(super) fn add(&mut self, config: &Config) {
        for device in &config.devices {
            if !self.devices.contains(device) {
                self.devices.push(*device);
            }
        }
        self.kinds |= config.kinds;
        let metrics = format!("{:?}", config.metrics);
        if config.metrics != ACL_AICORE_NONE && !self.metrics.contains(&metrics) {
            self.metrics.push(metrics);
        }
    }

    /// Sets an option. The last value of each counts.
    pub(super) fn set(&mut self, option: aclprofConfigType, text: &str) {
        self.options.retain(|(other, _)| *other != option);
        self.options.push((option, text.to_owned()));
    }

    /// Forgets the devices and kinds; the options stay for the next file.
    pub(super) fn begin_again(&mut self) {
        *self = About {
            options: std::mem::take(&mut self.options),
            ..About::default()
        };
    }

    /// Returns the head of the file, members of a JSON object with a comma behind each.
    pub(super) fn text(&self) -> String {
        let names = |wanted: &dyn Fn(bool) -> bool| -> Vec<JsonValue> {
            let kinds = KINDS.iter();
            let asked = kinds.filter(|(bit, _, has)| self.kinds & bit != 0 && wanted(*has));
            list_of(asked.map(|(_, name, _)| text(name)))
        };
        let mut missing = names(&|has| !has);
        missing.extend(self.metrics.iter().map(|name| text(name)));
        let options = self.options.iter();
        let options = options.map(|(option, value)| text(&format!("{option:?}={value}")));
        let devices = self.devices.iter();
        let devices = devices.map(|device| JsonValue::Number(f64::from(*device)));
        [
            ("producer", text("ascendcl-emulator")),
            (
                "about",
                text("times of the emulator on this machine, not of a card; not in the format of msprof"),
            ),
            ("process", JsonValue::Number(f64::from(process::id()))),
            ("devices", JsonValue::Array(list_of(devices))),
            ("recorded", JsonValue::Array(names(&|has| has))),
            ("not recorded", JsonValue::Array(missing)),
            ("options without effect", JsonValue::Array(list_of(options))),
        ]
        .map(|(name, value)| {
            let value = value.stringify().unwrap_or_default();
            format!("\"{name}\":{value},")
        })
        .concat()
    }
}

fn text(text: &str) -> JsonValue {
    JsonValue::String(text.to_owned())
}

/// Returns the name of the next file of this process.
pub(super) fn name() -> String {
    static WRITTEN: AtomicU32 = AtomicU32::new(1);
    let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
    format!("ascendcl-emulator-{}-{number}.json", process::id())
}
