//! Resets a device while the memory of a fence is still to come back.

use ascendcl::event::Order;
use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let current = thread.set_current(&device)?;
    let mut stream = current.create_stream::<Main>()?;
    let queued = stream.adopt(current.malloc::<u32>(16)?);
    let fence = stream.fence(current.create_event::<Order>()?, queued)?;
    stream.destroy()?;
    device.reset()?; //~ mistake
    drop(fence.synchronize()?);
    //~ instead: device.reset()?;
    Ok(())
}
