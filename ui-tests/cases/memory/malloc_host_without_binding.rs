//! Allocates host memory without binding the thread to a device.

use ascendcl::{Acl, HostSide, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread, side: HostSide<'_>) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    device.malloc_host::<f32>(side, 16)?; //~ mistake
    //~ instead: thread.set_current(&device)?.malloc_host::<f32>(side, 16)?;
    Ok(())
}
