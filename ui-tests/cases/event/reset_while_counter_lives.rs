//! Resets a device while a counter that streams wait for lives.

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let current = thread.set_current(&device)?;
    let counter = current.create_cnt_notify()?;
    device.reset()?; //~ mistake
    drop(counter);
    //~ instead: device.reset()?;
    Ok(())
}
