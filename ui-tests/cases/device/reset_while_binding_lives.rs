//! Resets a device while the thread works with its binding.

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let current = thread.set_current(&device)?;
    device.reset()?; //~ mistake
    current.synchronize_device()?;
    //~ instead: device.reset()?;
    Ok(())
}
