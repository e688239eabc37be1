//! The variables of the library that have numbers, and the times that ranks wait for each other.

use std::ops::RangeInclusive;
use std::time::Duration;

use ascendcl_sys::HcclResult;

use super::wrong;
use crate::engine::engine;

/// The variables with numbers, and the numbers that they may have.
const NUMBERS: [(&str, RangeInclusive<u64>); 9] = [
    (JOIN, 120..=7200),
    (EXECUTE, 0..=0x7fff_ffff),
    ("HCCL_BUFFSIZE", 1..=0xffff_ffff),
    ("HCCL_IF_BASE_PORT", 1024..=65520),
    ("HCCL_WHITELIST_DISABLE", 0..=1),
    ("HCCL_RDMA_TC", 0..=255),
    ("HCCL_RDMA_SL", 0..=255),
    ("HCCL_RDMA_TIMEOUT", 0..=255),
    ("HCCL_RDMA_RETRY_CNT", 0..=255),
];
const JOIN: &str = "HCCL_CONNECT_TIMEOUT";
const EXECUTE: &str = "HCCL_EXEC_TIMEOUT";
/// The variable for equal results in each run.
const DETERMINISTIC: &str = "HCCL_DETERMINISTIC";

/// The times in seconds, if nothing else is set.
const JOIN_SECONDS: u64 = 120;
const EXECUTE_SECONDS: u64 = 1836;

const LONGEST: Duration = Duration::from_secs(1 << 32);

/// The times that ranks wait for each other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// For ranks that join, and for the first operation of a kind.
    pub(super) join: Duration,
    /// For an operation; `None` has no limit.
    pub(super) execute: Option<Duration>,
}

/// Returns the value of a variable; an empty one counts as absent.
fn value(name: &str) -> Option<String> {
    let value = std::env::var_os(name)?.to_string_lossy().into_owned();
    (!value.is_empty()).then_some(value)
}

/// Returns whether a variable decides about equal results. Then the program cannot.
pub(super) fn is_deterministic_set() -> bool {
    value(DETERMINISTIC).is_some()
}

/// Checks the variables of the library, and returns the times. The configuration of the emulator comes first.
pub(super) fn limits(call: &str) -> Result<Limits, HcclResult> {
    let (mut join, mut execute) = (JOIN_SECONDS, EXECUTE_SECONDS);
    for (name, range) in &NUMBERS {
        let Some(text) = value(name) else { continue };
        let number = text.parse().ok().filter(|number| range.contains(number));
        let Some(number) = number else {
            let (least, most) = (range.start(), range.end());
            return Err(wrong(
                call,
                format_args!(
                    "the variable {name} is {text:?}; set it to a number from {least} to {most}, or remove it"
                ),
            ));
        };
        match *name {
            JOIN => join = number,
            EXECUTE => execute = number,
            _ => {}
        }
    }
    if let Some(text) = value(DETERMINISTIC)
        && !["false", "true", "strict"].contains(&text.to_ascii_lowercase().as_str())
    {
        return Err(wrong(
            call,
            format_args!(
                "the variable {DETERMINISTIC} is {text:?}; set it to false, true or strict, or remove it"
            ),
        ));
    }
    // Longer times have no meaning, and a sum with the time of day could overflow.
    let fixed = engine().config.rank_timeout.map(|limit| limit.min(LONGEST));
    Ok(Limits {
        join: fixed.unwrap_or(Duration::from_secs(join)),
        execute: fixed.or((execute > 0).then(|| Duration::from_secs(execute))),
    })
}
