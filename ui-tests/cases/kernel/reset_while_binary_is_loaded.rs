//! Resets a device while a binary of it is loaded.

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let current = thread.set_current(&device)?;
    let binary = current.load_binary("clear.o")?;
    device.reset()?; //~ mistake
    binary.unload()?;
    //~ instead: device.reset()?;
    Ok(())
}
