//! Reads host memory after the device that it was allocated with was reset.

use ascendcl::{Acl, HostSide, Npu, Result, Thread};

fn wrong(acl: &Acl, host: HostSide<'_>, thread: &mut Thread) -> Result<f32> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let on_host = thread.set_current(&device)?.malloc_host::<f32>(host, 16)?;
    device.reset()?; //~ mistake
    Ok(on_host[0])
}
