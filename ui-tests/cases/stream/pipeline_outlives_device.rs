//! Resets a device while a pipeline has streams and memory of it.

use ascendcl::pipeline::Pipeline;
use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let current = thread.set_current(&device)?;
    let mut copies = Pipeline::<_, u8, u8>::new(current, acl.host()?, 2, [4, 4])?;
    device.reset()?; //~ mistake
    copies.pop();
    drop(copies);
    //~ instead: device.reset()?;
    Ok(())
}
