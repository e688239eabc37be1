//! Resets a device while a tensor lives that was given memory of the device.

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let current = thread.set_current(&device)?;
    let zeros = current.memset(current.malloc::<f32>(4)?, 0)?;
    let tensor = current.to_dlpack(zeros, &[4])?;
    device.reset()?; //~ mistake
    drop(tensor);
    //~ instead: device.reset()?;
    Ok(())
}
