//! Resets a device while one of its events lives.

use ascendcl::event::Order;
use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let event = thread.set_current(&device)?.create_event::<Order>()?;
    device.reset()?; //~ mistake
    event.destroy()?;
    //~ instead: device.reset()?;
    Ok(())
}
