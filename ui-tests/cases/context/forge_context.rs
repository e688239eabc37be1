//! Makes up a context from its number.

use ascendcl::{Context, Ctx, Device, Npu, Result, Thread};

fn wrong(thread: &mut Thread, device: &Device<'_, Npu<0>>) -> Result<()> {
    let context: Context<'_, Ctx<Npu<0>, 1>> = Context { number: 1 }; //~ mistake
    //~ instead: let context = device.create_context::<1>(thread)?;
    context.destroy()
}
