//! Queues a fill while the proof that the stream was drained is in use.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    first: Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
    second: &mut Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
) -> Result<()> {
    let drained = stream.drain()?;
    stream.memset_async(second, 0)?; //~ mistake
    drained.take(first).accept_unverified().free()?;
    //~ instead: stream.memset_async(second, 0)?;
    Ok(())
}
