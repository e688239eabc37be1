//! Takes one direction of access for both.

use ascendcl::peer::PeerAccess;
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    (there, back): (&PeerAccess<'_, '_, Npu<0>, Npu<1>>, &PeerAccess<'_, '_, Npu<1>, Npu<0>>),
    to: &mut DeviceBuf<'_, Npu<0>, [f32]>,
    from: &DeviceBuf<'_, Npu<1>, [f32]>,
) -> Result<()> {
    let view = there.mutual(there); //~ mistake
    //~ instead: let view = there.mutual(back);
    current.memcpy(to, view.slice(from, 0..16)?)
}
