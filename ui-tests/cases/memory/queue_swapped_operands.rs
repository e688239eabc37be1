//! Queues a copy with the source in front of the destination.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, HostBuf, Npu, Queued, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    target: &mut Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
    source: &Queued<'_, (Npu<0>, Main), HostBuf<'_, [u32]>>,
) -> Result<()> {
    stream.memcpy_async(source, target)?; //~ mistake
    //~ instead: stream.memcpy_async(target, source)?;
    Ok(())
}
