//! Finalises AscendCL while a device is in use.

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    acl.finalize()?; //~ mistake
    device.reset()?; //~ mistake
    //~ instead: device.reset()?;
    //~ instead: acl.finalize()?;
    Ok(())
}
