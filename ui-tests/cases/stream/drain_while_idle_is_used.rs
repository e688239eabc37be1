//! Drains a stream while the proof that it is idle is in use.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    first: Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
    second: Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
) -> Result<()> {
    let idle = stream.synchronize()?;
    stream.drain()?.take(first).accept_unverified().free()?; //~ mistake
    idle.take(second).free()?;
    //~ instead: stream.drain()?.take(first).accept_unverified().free()?;
    Ok(())
}
