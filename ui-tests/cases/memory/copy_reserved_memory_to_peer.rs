//! Copies memory at reserved addresses to another device by a blocking copy, which AscendCL does not do in one process.

use ascendcl::memory::ReservedBuf;
use ascendcl::peer::{Outbound, PeerView};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    view: PeerView<'_, '_, Npu<0>, Npu<1>, Outbound>,
    there: &mut DeviceBuf<'_, Npu<1>, [f32]>,
    cache: &ReservedBuf<'_, Npu<0>, f32>,
) -> Result<()> {
    current.memcpy(view.slice_mut(there, 0..16)?, cache.slice(0..16)?) //~ mistake
    //~ instead: let here = current.memcpy(current.malloc(16)?, cache.slice(0..16)?)?;
    //~ instead: current.memcpy(view.slice_mut(there, 0..16)?, &here)
}
