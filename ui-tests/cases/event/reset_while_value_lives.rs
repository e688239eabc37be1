//! Resets a device while a number in its memory lives.

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let current = thread.set_current(&device)?;
    let value = current.create_value()?;
    device.reset()?; //~ mistake
    drop(value);
    //~ instead: device.reset()?;
    Ok(())
}
