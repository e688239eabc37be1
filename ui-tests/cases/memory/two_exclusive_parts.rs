//! Takes two parts of a queued buffer for writing at the same time.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    buf: &mut Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
) -> Result<()> {
    let left = buf.slice_mut(0..16)?; //~ mistake
    let right = buf.slice_mut(8..32)?; //~ mistake
    //~ instead: let (left, right) = buf.split_at_mut(16)?;
    stream.memset_async(left, 0)?;
    stream.memset_async(right, 1)?;
    Ok(())
}
