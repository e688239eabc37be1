//! Resets a device while local memory that was allocated with it lives.

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let local = thread.set_current(&device)?.malloc_local::<u8, 64>(16)?;
    device.reset()?; //~ mistake
    local.free()?; //~ mistake
    //~ instead: local.free()?;
    //~ instead: device.reset()?;
    Ok(())
}
