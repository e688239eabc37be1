//! Destroys the default context of a device, because a manual says that this releases it.

use ascendcl::{Acl, Context, Ctx, Npu, Result, Thread};

fn tear_down(contexts: [Context<'_, Ctx<Npu<0>, 1>>; 1]) -> Result<()> {
    let [context] = contexts;
    context.destroy()
}

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    tear_down([device]) //~ mistake
    //~ instead: tear_down([device.create_context::<1>(thread)?])
}
