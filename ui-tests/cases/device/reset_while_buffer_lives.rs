//! Resets a device while one of its buffers lives: the free would come after the reset.

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let current = thread.set_current(&device)?;
    let buf = current.malloc::<f32>(16)?;
    device.reset()?; //~ mistake
    buf.free()?; //~ mistake
    //~ instead: buf.free()?;
    //~ instead: device.reset()?;
    Ok(())
}
