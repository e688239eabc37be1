//! Attributes of a launch.

use std::time::Duration;

use ascendcl_sys as sys;

use crate::error::{KernelMismatch, Result, Usage};

/// How the blocks of a kernel start (`ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE`).
///
/// ```
/// use ascendcl::kernel::{LaunchConfig, Schedule};
///
/// let all_at_once = LaunchConfig::new().schedule(Schedule::Batch);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Schedule {
    /// A block starts when a core is free.
    #[default]
    Normal,
    /// The blocks start together, when there is a free core for each. A kernel whose blocks wait for each other
    /// (`SyncAll`) needs this.
    Batch,
}

/// The attributes of a launch (`aclrtLaunchKernelCfg`).
///
/// With the feature `serde` a file can have both: `schedule` (`Normal` or `Batch`), and `timeout` as `secs` and `nanos`.
///
/// ```
/// use std::time::Duration;
/// use ascendcl::kernel::{LaunchConfig, Schedule};
///
/// let config = LaunchConfig::new().schedule(Schedule::Batch).timeout(Duration::from_secs(5));
/// ```
#[derive(Debug, Clone, Copy, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct LaunchConfig {
    schedule: Schedule,
    timeout: Option<Duration>,
}

impl LaunchConfig {
    /// Returns the attributes that a launch without attributes has.
    ///
    /// ```
    /// let config = ascendcl::kernel::LaunchConfig::new();
    /// ```
    #[must_use]
    pub const fn new() -> LaunchConfig {
        LaunchConfig {
            schedule: Schedule::Normal,
            timeout: None,
        }
    }

    /// Sets how the blocks start.
    ///
    /// ```
    /// use ascendcl::kernel::{LaunchConfig, Schedule};
    ///
    /// let config = LaunchConfig::new().schedule(Schedule::Batch);
    /// ```
    #[must_use]
    pub const fn schedule(mut self, schedule: Schedule) -> LaunchConfig {
        self.schedule = schedule;
        self
    }

    /// Sets the time after which the kernel fails (`ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT`, or `_TIMEOUT_US` for a part of a
    /// second).
    ///
    /// ```
    /// use std::time::Duration;
    /// use ascendcl::kernel::LaunchConfig;
    ///
    /// let config = LaunchConfig::new().timeout(Duration::from_millis(20));
    /// ```
    #[must_use]
    pub const fn timeout(mut self, timeout: Duration) -> LaunchConfig {
        self.timeout = Some(timeout);
        self
    }

    /// Returns the attributes for C, and their number.
    pub(super) fn attributes(&self) -> Result<([sys::aclrtLaunchKernelAttr; 2], usize)> {
        let none = sys::aclrtLaunchKernelAttr {
            id: sys::ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE,
            value: sys::aclrtLaunchKernelAttrValue { rsv: [0; 4] },
        };
        let (mut attributes, mut count) = ([none; 2], 0);
        let mut places = attributes.iter_mut();
        if self.schedule == Schedule::Batch
            && let Some(place) = places.next()
        {
            place.value = word([1, 0]);
            count += 1;
        }
        if let (Some(limit), Some(place)) = (self.timeout, places.next()) {
            (place.id, place.value) = timeout(limit)?;
            count += 1;
        }
        Ok((attributes, count))
    }
}

/// A value in the first bytes of the union, with zeros behind it.
fn word([low, high]: [u32; 2]) -> sys::aclrtLaunchKernelAttrValue {
    sys::aclrtLaunchKernelAttrValue {
        rsv: [low, high, 0, 0],
    }
}

/// The attribute of a limit: in seconds, which older releases know, or in microseconds.
fn timeout(
    limit: Duration,
) -> Result<(
    sys::aclrtLaunchKernelAttrId,
    sys::aclrtLaunchKernelAttrValue,
)> {
    let micros = u64::try_from(limit.as_micros()).unwrap_or(u64::MAX);
    match u16::try_from(limit.as_secs()) {
        _ if micros == 0 || micros == u64::MAX => {
            Err(Usage::Kernel(KernelMismatch::Timeout { limit }).into())
        }
        Ok(seconds) if limit.subsec_nanos() == 0 => Ok((
            sys::ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT,
            word([seconds.into(), 0]),
        )),
        // CAST: the two halves.
        _ => Ok((
            sys::ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US,
            word([micros as u32, (micros >> 32) as u32]),
        )),
    }
}
