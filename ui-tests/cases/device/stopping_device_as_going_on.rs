//! Gives a device that stops on failure to code that relies on devices going on.

use ascendcl::{Acl, Device, DeviceTag, Npu, Result, Thread};

fn go_on<D: DeviceTag>(device: Device<'_, D>) -> Result<()> {
    device.reset()
}

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    go_on(device.stop_on_failure()) //~ mistake
    //~ instead: go_on(device)
}
