//! Resets a device while one of its streams lives: the destruction would come after the reset.

use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let stream = thread.set_current(&device)?.create_stream::<Main>()?;
    device.reset()?; //~ mistake
    stream.destroy()?; //~ mistake
    //~ instead: stream.destroy()?;
    //~ instead: device.reset()?;
    Ok(())
}
