//! Queues a copy between buffers of two element types.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, HostBuf, Npu, Queued, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    floats: &mut Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [f32]>>,
    numbers: Queued<'_, (Npu<0>, Main), HostBuf<'_, [u32]>>, //~ mistake
    //~ instead: numbers: Queued<'_, (Npu<0>, Main), HostBuf<'_, [f32]>>,
) -> Result<()> {
    stream.memcpy_async(floats, &numbers)?; //~ mistake
    //~ instead: stream.memcpy_async(floats, &numbers)?;
    Ok(())
}
