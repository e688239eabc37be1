//! Binds a device that was reset.

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    device.reset()?;
    thread.set_current(&device)?; //~ mistake
    Ok(())
}
