//! Copies memory of a peer to the host by way of its neighbour.

use ascendcl::peer::PeerAccess;
use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Result};

fn wrong(
    (on_0, on_1): (Current<'_, '_, Npu<0>>, Current<'_, '_, Npu<1>>),
    (there, back): (&PeerAccess<'_, '_, Npu<0>, Npu<1>>, &PeerAccess<'_, '_, Npu<1>, Npu<0>>),
    to: &mut HostBuf<'_, [f32]>,
    from: &DeviceBuf<'_, Npu<1>, [f32]>,
) -> Result<()> {
    on_0.memcpy(to, there.mutual(back).slice(from, 0..16)?) //~ mistake
    //~ instead: on_1.memcpy(to, from)
}
