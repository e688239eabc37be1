//! The attributes of a launch (`aclrtLaunchKernelCfg`).

use std::slice;
use std::time::Duration;

use ascendcl_sys::{
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_RT_LAUNCH_KERNEL_ATTR_BLOCK_TASK_PREFETCH,
    ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET, ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP,
    ACL_RT_LAUNCH_KERNEL_ATTR_DYN_UBUF_SIZE, ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING,
    ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE, ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE,
    ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT, ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US, aclError,
    aclrtLaunchKernelAttr, aclrtLaunchKernelCfg,
};

use crate::device::VECTOR_CORES;
use crate::object_calls::{invalid_below, refused};

/// The attributes that change a launch here.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Config {
    /// Whether all blocks run at the same time.
    pub(super) is_batch: bool,
    /// The limit; `None` for none.
    pub(super) limit: Option<Duration>,
}

/// Reads the attributes of a launch. NULL stands for none.
///
/// # Safety
///
/// - `config` is null or valid for a read, and its attributes are as many as it says.
pub(super) unsafe fn read(
    call: &str,
    config: *const aclrtLaunchKernelCfg,
    blocks: u32,
) -> Result<Config, aclError> {
    let mut read = Config::default();
    // SAFETY: the contract.
    let Some(config) = (unsafe { config.as_ref() }) else {
        return Ok(read);
    };
    if config.numAttrs == 0 {
        return Ok(read);
    }
    if config.attrs.is_null() {
        let count = config.numAttrs;
        return Err(invalid_below(
            call,
            format_args!("there shall be {count} attributes, and their address is NULL"),
        ));
    }
    // SAFETY: not null, and as many as there are (the contract).
    let attributes = unsafe { slice::from_raw_parts(config.attrs, config.numAttrs) };
    for attribute in attributes {
        read.add(call, attribute)?;
    }
    if read.is_batch && u64::from(blocks) > VECTOR_CORES as u64 {
        return Err(invalid_below(
            call,
            format_args!(
                "{blocks} blocks shall begin at the same time (schedule mode batch), and the device has {VECTOR_CORES} \
                 vector cores"
            ),
        ));
    }
    Ok(read)
}

impl Config {
    fn add(&mut self, call: &str, attribute: &aclrtLaunchKernelAttr) -> Result<(), aclError> {
        match attribute.id {
            ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE => {
                // SAFETY: the attribute names the valid field (`acl_rt.h`).
                let mode = unsafe { attribute.value.schemMode };
                if mode > 1 {
                    return Err(invalid_below(
                        call,
                        format_args!("the schedule mode is {mode}; pass 0 (normal) or 1 (batch)"),
                    ));
                }
                self.is_batch = mode == 1;
            }
            ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT => {
                // SAFETY: as above.
                let seconds = unsafe { attribute.value.timeout };
                self.limit = limit(Duration::from_secs(seconds.into()));
            }
            ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US => {
                // SAFETY: as above.
                let words = unsafe { attribute.value.timeoutUs };
                let micros = u64::from(words.timeoutLow) | u64::from(words.timeoutHigh) << 32;
                self.limit = limit(Duration::from_micros(micros));
            }
            ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET => {
                // SAFETY: as above.
                let first = unsafe { attribute.value.blockDimOffset };
                if first != 0 {
                    return Err(refused(
                        call,
                        ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                        format_args!(
                            "the first block is {first}; the emulator begins with block 0"
                        ),
                    ));
                }
            }
            // They change the speed of a card, or what it records.
            ACL_RT_LAUNCH_KERNEL_ATTR_DYN_UBUF_SIZE
            | ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE
            | ACL_RT_LAUNCH_KERNEL_ATTR_BLOCK_TASK_PREFETCH
            | ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP
            | ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING => {}
            other => {
                return Err(invalid_below(
                    call,
                    format_args!("there is no attribute {other:?} of a launch"),
                ));
            }
        }
        Ok(())
    }
}

/// Returns a limit; 0 is none.
fn limit(limit: Duration) -> Option<Duration> {
    Some(limit).filter(|limit| !limit.is_zero())
}
