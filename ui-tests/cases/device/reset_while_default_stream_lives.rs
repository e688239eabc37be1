//! Resets a device while its default stream is in use.

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let mut stream = thread.set_current(&device)?.default_stream()?;
    device.reset()?; //~ mistake
    stream.synchronize()?; //~ mistake
    //~ instead: stream.synchronize()?;
    //~ instead: drop(stream);
    //~ instead: device.reset()?;
    Ok(())
}
