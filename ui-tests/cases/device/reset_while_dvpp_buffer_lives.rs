//! Resets a device while a buffer of its media engine lives.

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let picture = thread.set_current(&device)?.malloc_dvpp::<u8>(16)?;
    device.reset()?; //~ mistake
    picture.free()?; //~ mistake
    //~ instead: picture.free()?;
    //~ instead: device.reset()?;
    Ok(())
}
