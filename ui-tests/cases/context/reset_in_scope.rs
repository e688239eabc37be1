//! Resets a device in a scope that is to wait for it.

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let current = thread.set_current(&device)?;
    current.scope(|_scope| device.reset())? //~ mistake
    //~ instead: current.scope(|_scope| ())?;
    //~ instead: device.reset()
}
