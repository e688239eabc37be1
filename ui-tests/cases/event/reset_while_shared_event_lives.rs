//! Resets a device while an event that processes share lives.

use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let current = thread.set_current(&device)?;
    let mut stream = current.create_stream::<Main>()?;
    let mut filled = current.create_shared_event()?;
    filled.record(&mut stream)?;
    stream.destroy()?;
    device.reset()?; //~ mistake
    drop(filled);
    //~ instead: device.reset()?;
    Ok(())
}
