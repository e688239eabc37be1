//! Destroys a context twice.

use ascendcl::{Device, Npu, Result, Thread};

fn wrong(thread: &mut Thread, device: &Device<'_, Npu<0>>) -> Result<()> {
    let context = device.create_context::<1>(thread)?;
    context.destroy()?;
    context.destroy()?; //~ mistake
    Ok(())
}
