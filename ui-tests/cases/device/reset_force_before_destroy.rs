//! Tears a device down by force while one of its streams lives.

use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let stream = thread.set_current(&device)?.create_stream::<Main>()?;
    device.reset_force()?; //~ mistake
    stream.destroy()?; //~ mistake
    //~ instead: stream.destroy()?;
    //~ instead: device.reset_force()?;
    Ok(())
}
