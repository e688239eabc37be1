//! Fills memory of a peer: fills are work of the memory's own device.

use ascendcl::peer::PeerAccess;
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    (on_0, on_1): (Current<'_, '_, Npu<0>>, Current<'_, '_, Npu<1>>),
    access: &PeerAccess<'_, '_, Npu<0>, Npu<1>>,
    buf: &mut DeviceBuf<'_, Npu<1>, [f32]>,
) -> Result<()> {
    on_0.memset(access.outbound().slice_mut(buf, 0..16)?, 0) //~ mistake
    //~ instead: on_1.memset(buf, 0)
}
