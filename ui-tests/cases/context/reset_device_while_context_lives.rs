//! Resets a device before the context that was made on it is destroyed.

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let context = device.create_context::<1>(thread)?;
    device.reset()?; //~ mistake
    context.destroy() //~ mistake
    //~ instead: context.destroy()?;
    //~ instead: device.reset()
}
