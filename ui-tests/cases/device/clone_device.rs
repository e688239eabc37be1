//! Clones a device, which would be reset twice.

use ascendcl::{Device, Npu, Result};

fn wrong(device: Device<'_, Npu<0>>) -> Result<()> {
    let other = device.clone(); //~ mistake
    other.reset()?; //~ mistake
    device.reset()
}
