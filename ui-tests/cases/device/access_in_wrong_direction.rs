//! Shows memory of device 0 as a place to write to, with access from device 0 to device 1.

use ascendcl::peer::PeerAccess;
use ascendcl::{DeviceBuf, Npu, Result};

fn wrong(
    (from_0_to_1, from_1_to_0): (
        &PeerAccess<'_, '_, Npu<0>, Npu<1>>,
        &PeerAccess<'_, '_, Npu<1>, Npu<0>>,
    ),
    to: &mut DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    drop(from_0_to_1.outbound().slice_mut(to, 0..16)?); //~ mistake
    //~ instead: drop(from_1_to_0.outbound().slice_mut(to, 0..16)?);
    Ok(())
}
