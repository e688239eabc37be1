//! Copies to a peer after access to it was disabled.

use ascendcl::peer::PeerAccess;
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    access: PeerAccess<'_, '_, Npu<0>, Npu<1>>,
    to: &mut DeviceBuf<'_, Npu<1>, [f32]>,
    from: &DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    access.disable()?; //~ mistake
    current.memcpy(access.outbound().slice_mut(to, 0..16)?, from)?;
    //~ instead: access.disable()?;
    Ok(())
}
