//! Resets a device before the context that was made on it is destroyed, as clean-up code in order of creation does.

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let context = device.create_context::<0>(thread)?;
    thread.set_current_context(&context)?.synchronize_device()?;
    device.reset()?; //~ mistake
    context.destroy()?; //~ mistake
    //~ instead: context.destroy()?;
    //~ instead: device.reset()?;
    Ok(())
}
