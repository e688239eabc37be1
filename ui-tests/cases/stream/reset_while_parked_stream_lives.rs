//! Resets a device while one of its streams is between two threads.

use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let current = thread.set_current(&device)?;
    let parked = current.park(current.create_stream::<Main>()?);
    device.reset()?; //~ mistake
    drop(parked);
    //~ instead: device.reset()?;
    Ok(())
}
