//! Settings of devices and streams, and what AscendCL tells about them (`acl/acl_rt.h`; manual chapters 03 to 06).
//!
//! Many settings of AscendCL have a place in the order of a program, and C ignores a setting that comes too late. Here the
//! borrow checker has the order. There are three places:
//!
//! - Before any device is set: [`Acl::set_device_limit`]. It needs `&mut Acl`, and each device borrows the `Acl`.
//! - Between a device and its first stream, buffer or operator: [`Device::set_sat_mode`] and [`Device::set_res_limit`]. They
//!   need `&mut Device`, and all of these borrow the device.
//! - Around the work of a stream: [`Stream::with_res_limit`] sets the limit, uses it in this thread while a closure runs, and
//!   takes it back.
//!
//! [`Acl::on`] sets its device itself, so a program with settings of a device opens it by [`Acl::set_device`].
//!
//! ```
//! # ascendcl::example!(|acl| {
//! use ascendcl::settings::{CoreKind, DeviceInfo, DeviceLimit, FloatOverflowMode};
//!
//! let mut acl = acl;
//! acl.set_device_limit(DeviceLimit::SimdStackSize, 64 << 10)?; // no device is set yet
//! let cores = acl.device_info(0, DeviceInfo::CubeCoreNum)?;
//! println!("{cores} cube cores");
//!
//! let mut thread = Thread::claim()?;
//! let mut device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
//! device.set_res_limit(CoreKind::Cube, 8)?; // no stream borrows the device yet
//! device.set_sat_mode(&mut thread, FloatOverflowMode::Saturation)?;
//! let current = thread.set_current(&device)?;
//! assert_eq!(current.res_limit(CoreKind::Cube)?, 8);
//! # });
//! ```

mod cores;
mod ids;
mod info;
mod limit;
mod log;
mod marks;
mod overflow;

pub use cores::CoreKind;
pub use ids::{LogicDevId, PhyDevId};
pub use info::DeviceInfo;
pub use limit::DeviceLimit;
pub use log::LogLevel;
pub use overflow::FloatOverflowMode;

use crate::error::{Result, Usage};
#[cfg(doc)]
use crate::{device::Device, runtime::Acl, stream::Stream};

/// The id of a device in C's type.
fn c_id(id: u32) -> Result<i32> {
    i32::try_from(id).map_err(|_| Usage::DeviceId { id }.into())
}
