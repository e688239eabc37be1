//! Takes a buffer back while a part of it is still to be used by its stream.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    mut queued: Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
) -> Result<()> {
    let part = queued.slice_mut(0..16)?;
    let buf = stream.synchronize()?.take(queued); //~ mistake
    stream.memset_async(part, 0)?;
    //~ instead: let buf = stream.synchronize()?.take(queued);
    buf.free()
}
