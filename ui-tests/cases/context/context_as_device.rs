//! Gives access from an explicit context's own card as if the context were another device.

use ascendcl::{Context, Ctx, Current, Device, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    context: &Context<'_, Ctx<Npu<0>, 1>>,
    peer: &Device<'_, Npu<1>>,
) -> Result<()> {
    drop(current.can_access_peer(context)?); //~ mistake
    //~ instead: let _ = context;
    //~ instead: drop(current.can_access_peer(peer)?);
    Ok(())
}
