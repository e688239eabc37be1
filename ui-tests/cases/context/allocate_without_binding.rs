//! Allocates on a device without binding the thread to it.

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    device.malloc::<f32>(16)?; //~ mistake
    //~ instead: thread.set_current(&device)?.malloc::<f32>(16)?;
    Ok(())
}
