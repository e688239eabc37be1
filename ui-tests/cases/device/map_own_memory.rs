//! Prepares copies of device 0 with memory of device 0, where that of the peer is meant.

use ascendcl::peer::PeerAccess;
use ascendcl::{DeviceBuf, Npu, Result};

fn wrong(
    access: &PeerAccess<'_, '_, Npu<0>, Npu<1>>,
    (mine, theirs): (&DeviceBuf<'_, Npu<0>, [f32]>, &DeviceBuf<'_, Npu<1>, [f32]>),
) -> Result<()> {
    access.p2p_map(mine) //~ mistake
    //~ instead: access.p2p_map(theirs)
}
