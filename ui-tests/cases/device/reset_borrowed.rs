//! Resets a device that belongs to the caller.

use ascendcl::{Device, Npu, Result};

fn wrong(
    device: &Device<'_, Npu<0>>, //~ mistake
    //~ instead: device: Device<'_, Npu<0>>,
) -> Result<()> {
    device.reset() //~ mistake
    //~ instead: device.reset()
}
