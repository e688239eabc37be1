//! Destroys the thread's current context, which would leave the thread without one.

use ascendcl::{Device, Npu, Result, Thread};

fn wrong(thread: &mut Thread, device: &Device<'_, Npu<0>>) -> Result<()> {
    let context = device.create_context::<1>(thread)?;
    let current = thread.set_current_context(&context)?;
    context.destroy()?; //~ mistake
    current.synchronize_device()?; //~ mistake
    //~ instead: current.synchronize_device()?;
    //~ instead: context.destroy()?;
    Ok(())
}
