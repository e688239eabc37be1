//! Writes to a peer from the thread that is bound to the peer.

use ascendcl::peer::PeerAccess;
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    (on_0, on_1): (Current<'_, '_, Npu<0>>, Current<'_, '_, Npu<1>>),
    access: &PeerAccess<'_, '_, Npu<0>, Npu<1>>,
    to: &mut DeviceBuf<'_, Npu<1>, [f32]>,
    from: &DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    on_1.memcpy(access.outbound().slice_mut(to, 0..16)?, from) //~ mistake
    //~ instead: on_0.memcpy(access.outbound().slice_mut(to, 0..16)?, from)
}
