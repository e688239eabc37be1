//! Resets a device while one of its streams holds a buffer.

use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let current = thread.set_current(&device)?;
    let stream = current.create_stream::<Main>()?;
    let queued = stream.adopt(current.malloc::<u32>(16)?);
    stream.destroy()?;
    device.reset()?; //~ mistake
    drop(queued);
    //~ instead: device.reset()?;
    Ok(())
}
