//! Finalises AscendCL while a buffer lives: the free would come after that.

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let buf = thread.set_current(&device)?.malloc::<f32>(16)?;
    acl.finalize()?; //~ mistake
    buf.free()?; //~ mistake
    device.reset()?; //~ mistake
    //~ instead: buf.free()?;
    //~ instead: device.reset()?;
    //~ instead: acl.finalize()?;
    Ok(())
}
