//! Resets a device twice.

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    device.reset()?;
    device.reset()?; //~ mistake
    Ok(())
}
