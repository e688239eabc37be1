//! Sets the stack size of kernels after a device, which keeps the old one.

use ascendcl::settings::DeviceLimit;
use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &mut Acl, thread: &mut Thread) -> Result<()> {
    //~ instead: acl.set_device_limit(DeviceLimit::SimdStackSize, 65536)?;
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    acl.set_device_limit(DeviceLimit::SimdStackSize, 65536)?; //~ mistake
    device.reset()
}
