//! Resets a device while host memory that was allocated with it lives.

use ascendcl::{Acl, HostSide, Npu, Result, Thread};

fn wrong(acl: &Acl, host: HostSide<'_>, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let on_host = thread.set_current(&device)?.malloc_host::<u8>(host, 16)?;
    device.reset()?; //~ mistake
    on_host.free()?; //~ mistake
    //~ instead: on_host.free()?;
    //~ instead: device.reset()?;
    Ok(())
}
