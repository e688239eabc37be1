//! Resets a device while one of its notifies lives.

use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let current = thread.set_current(&device)?;
    let stream = current.create_stream::<Main>()?;
    let notify = current.create_notify(&stream)?;
    stream.destroy()?;
    device.reset()?; //~ mistake
    notify.destroy()?;
    //~ instead: device.reset()?;
    Ok(())
}
