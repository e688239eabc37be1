//! Sizes that devices take when they are set: stacks of kernels, and room for what kernels print.

use std::ops::RangeInclusive;

use ascendcl_sys as sys;

#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Result, Usage};
use crate::raw::check;
use crate::runtime::Acl;

/// A size in bytes that each device takes when it is set (`aclrtDeviceLimit`).
///
/// Products without SIMT, threads of kernels, refuse the limits for it with 207000.
///
/// ```
/// # ascendcl::example!(|acl| {
/// use ascendcl::settings::DeviceLimit;
///
/// println!("kernels have {} bytes of stack", acl.device_limit(DeviceLimit::SimdStackSize)?);
/// # });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DeviceLimit {
    /// The stack of an AI core: a multiple of 16 KiB from 32 KiB on (`ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE`). A device with less
    /// memory for it is not set.
    SimdStackSize,
    /// The room of a core for what kernels print: a multiple of 8 from 1 KiB to 64 MiB
    /// (`ACL_RT_DEV_LIMIT_SIMD_PRINTF_FIFO_SIZE_PER_CORE`).
    SimdPrintfFifoSizePerCore,
    /// The stack of a thread of a kernel: a multiple of 128 (`ACL_RT_DEV_LIMIT_SIMT_STACK_SIZE`).
    SimtStackSize,
    /// The stack for threads of a kernel that part: a multiple of 128 (`ACL_RT_DEV_LIMIT_SIMT_DVG_WARP_STACK_SIZE`).
    SimtDvgWarpStackSize,
    /// The room for what threads of kernels print: a multiple of 8 (`ACL_RT_DEV_LIMIT_SIMT_PRINTF_FIFO_SIZE`).
    SimtPrintfFifoSize,
}

/// What a limit can be.
struct Sizes {
    raw: sys::aclrtDeviceLimit,
    step: usize,
    range: RangeInclusive<usize>,
}

impl DeviceLimit {
    fn sizes(self) -> Sizes {
        let any = 0..=usize::MAX;
        let (raw, step, range) = match self {
            DeviceLimit::SimdStackSize => (
                sys::ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE,
                16 << 10,
                32 << 10..=usize::MAX,
            ),
            DeviceLimit::SimdPrintfFifoSizePerCore => (
                sys::ACL_RT_DEV_LIMIT_SIMD_PRINTF_FIFO_SIZE_PER_CORE,
                8,
                1 << 10..=64 << 20,
            ),
            DeviceLimit::SimtStackSize => (sys::ACL_RT_DEV_LIMIT_SIMT_STACK_SIZE, 128, any),
            DeviceLimit::SimtDvgWarpStackSize => {
                (sys::ACL_RT_DEV_LIMIT_SIMT_DVG_WARP_STACK_SIZE, 128, any)
            }
            DeviceLimit::SimtPrintfFifoSize => {
                (sys::ACL_RT_DEV_LIMIT_SIMT_PRINTF_FIFO_SIZE, 8, any)
            }
        };
        Sizes { raw, step, range }
    }

    /// AscendCL rounds a size up, or ignores it, without an error. So a size that it would not take as it is is refused.
    fn checked(self, value: usize) -> Result<sys::aclrtDeviceLimit> {
        let Sizes { raw, step, range } = self.sizes();
        if value.is_multiple_of(step) && range.contains(&value) {
            return Ok(raw);
        }
        let limit = format!("{self:?}");
        Err(Usage::DeviceLimit {
            limit,
            value,
            step,
            range,
        }
        .into())
    }
}

/// The variable with the devices that a process sees.
const VISIBLE: &str = "ASCEND_RT_VISIBLE_DEVICES";

impl Acl {
    /// Sets a size, in bytes, that each device takes when it is set (`aclrtDeviceSetLimit`). It holds for all devices of the
    /// process, and stays.
    ///
    /// A device that is set already keeps its size, so this does not compile while one is alive.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// use ascendcl::settings::DeviceLimit;
    ///
    /// let mut acl = acl;
    /// acl.set_device_limit(DeviceLimit::SimdStackSize, 64 << 10)?; // before `set_device`
    /// acl.on::<Npu<0>, _>(0, |current| current.malloc::<u8>(4)?.free())?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// - [`Usage::DeviceLimit`] for a size that AscendCL would round or ignore.
    /// - [`Usage::HiddenDevice`] when `ASCEND_RT_VISIBLE_DEVICES` hides device 0, through which AscendCL sets sizes.
    /// - [`ErrorKind::Refused`] with 207000 for a limit that the product does not have, and [`ErrorKind::Backend`] when an
    ///   older CANN lacks the function. A size beyond the product's most is refused by [`Acl::set_device`].
    ///
    /// Products without the function, according to the manual: 310B, 310P, 910.
    #[doc(alias = "aclrtDeviceSetLimit")]
    pub fn set_device_limit(&mut self, limit: DeviceLimit, bytes: usize) -> Result<()> {
        let raw = limit.checked(bytes)?;
        if let Ok(visible) = std::env::var(VISIBLE)
            && !visible.is_empty()
            && visible.split(',').all(|id| id.trim() != "0")
        {
            return Err(Usage::HiddenDevice { visible }.into());
        }
        // SAFETY: takes numbers.
        let code = unsafe { sys::aclrtDeviceSetLimit(raw, bytes) };
        check("aclrtDeviceSetLimit", code)
    }

    /// Returns a size, in bytes, that devices take when they are set (`aclrtDeviceGetLimit`).
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// # use ascendcl::settings::DeviceLimit;
    /// assert!(acl.device_limit(DeviceLimit::SimdStackSize)? >= 32 << 10);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] with 207000 for a limit that the product does not have, and [`ErrorKind::Backend`] when an
    /// older CANN lacks the function.
    ///
    /// Products without the function, according to the manual: 310B, 310P, 910.
    #[doc(alias = "aclrtDeviceGetLimit")]
    pub fn device_limit(&self, limit: DeviceLimit) -> Result<usize> {
        let mut bytes = 0;
        // SAFETY: `bytes` is valid for a write of a usize.
        let code = unsafe { sys::aclrtDeviceGetLimit(limit.sizes().raw, &raw mut bytes) };
        check("aclrtDeviceGetLimit", code)?;
        Ok(bytes)
    }
}
