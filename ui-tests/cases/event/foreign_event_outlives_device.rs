//! Resets a device while a borrowed event of it is in use.

use ascendcl::event::Order;
use ascendcl::{Acl, Npu, Result, Thread, sys};

fn wrong(acl: &Acl, thread: &mut Thread, raw: sys::aclrtEvent) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let current = thread.set_current(&device)?;
    // SAFETY: the other library keeps the event, which has that flag.
    let event = unsafe { current.borrow_raw_event::<Order>(raw) }?;
    device.reset()?; //~ mistake
    drop(event);
    //~ instead: device.reset()?;
    Ok(())
}
