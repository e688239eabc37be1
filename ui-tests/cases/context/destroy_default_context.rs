//! Gives the default context, which belongs to its device, to code that destroys contexts.

use ascendcl::{Acl, Context, Ctx, Npu, Result, Thread};

fn end(context: Context<'_, Ctx<Npu<0>, 1>>) -> Result<()> {
    context.destroy()
}

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    end(device) //~ mistake
    //~ instead: end(device.create_context::<1>(thread)?)?;
    //~ instead: device.reset()
}
