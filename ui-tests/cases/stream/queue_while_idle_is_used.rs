//! Queues a copy while the proof that the stream is idle is in use.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, HostBuf, Npu, Queued, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    first: Queued<'_, (Npu<0>, Main), HostBuf<'_, [u32]>>,
    second: &Queued<'_, (Npu<0>, Main), HostBuf<'_, [u32]>>,
    target: &mut Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
) -> Result<()> {
    let idle = stream.synchronize()?;
    stream.memcpy_async(target, second)?; //~ mistake
    idle.take(first).free()?;
    //~ instead: stream.memcpy_async(target, second)?;
    Ok(())
}
