//! Tears a device down by force twice.

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    device.reset_force()?;
    device.reset_force()?; //~ mistake
    Ok(())
}
