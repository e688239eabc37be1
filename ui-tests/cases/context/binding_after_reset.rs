//! Goes on with a binding after its device was reset.

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let current = thread.set_current(&device)?;
    device.reset()?; //~ mistake
    current.malloc::<f32>(16)?;
    //~ instead: device.reset()?;
    Ok(())
}
