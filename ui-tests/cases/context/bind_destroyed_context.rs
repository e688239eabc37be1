//! Binds a thread to a context that was destroyed.

use ascendcl::{Device, Npu, Result, Thread};

fn wrong(thread: &mut Thread, device: &Device<'_, Npu<0>>) -> Result<()> {
    let context = device.create_context::<1>(thread)?;
    context.destroy()?; //~ mistake
    thread.set_current_context(&context)?.synchronize_device()?;
    //~ instead: context.destroy()?;
    Ok(())
}
