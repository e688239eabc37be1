//! Creates a context without a number: its type would have no name.

use ascendcl::{Device, Npu, Result, Thread};

fn wrong(thread: &mut Thread, device: &Device<'_, Npu<0>>) -> Result<()> {
    let context = device.create_context(thread)?; //~ mistake
    //~ instead: let context = device.create_context::<1>(thread)?;
    context.destroy()
}
