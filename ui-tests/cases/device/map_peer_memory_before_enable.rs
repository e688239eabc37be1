//! Prepares copies with memory of a peer before access to it was enabled.

use ascendcl::{Current, Device, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    peer: &Device<'_, Npu<1>>,
    buf: &DeviceBuf<'_, Npu<1>, [f32]>,
) -> Result<()> {
    let Some(route) = current.can_access_peer(peer)? else {
        return Ok(());
    };
    route.p2p_map(buf)?; //~ mistake
    let access = route.enable(current)?;
    //~ instead: access.p2p_map(buf)?;
    access.disable()
}
