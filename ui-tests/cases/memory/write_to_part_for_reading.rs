//! Queues a copy to a part that was taken for reading.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, HostBuf, Npu, Queued, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    buf: &mut Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
    source: &Queued<'_, (Npu<0>, Main), HostBuf<'_, [u32]>>,
) -> Result<()> {
    let part = buf.slice(0..16)?; //~ mistake
    //~ instead: let part = buf.slice_mut(0..16)?;
    stream.memcpy_async(part, source)?; //~ mistake
    //~ instead: stream.memcpy_async(part, source)?;
    Ok(())
}
