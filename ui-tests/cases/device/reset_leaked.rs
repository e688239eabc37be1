//! Resets a device that was kept for the rest of the process.

use ascendcl::{Device, Npu, Result};

fn wrong(device: Device<'static, Npu<0>>) -> Result<()> {
    let device = device.leak(); //~ mistake
    device.reset() //~ mistake
    //~ instead: device.reset()
}
