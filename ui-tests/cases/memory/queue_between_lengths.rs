//! Queues a copy between buffers of two lengths that the compiler knows.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, HostBuf, Npu, Queued, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    eight: &mut Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32; 8]>>,
    four: &Queued<'_, (Npu<0>, Main), HostBuf<'_, [u32; 4]>>,
) -> Result<()> {
    stream.memcpy_async(eight, four)?; //~ mistake
    //~ instead: stream.memcpy_async(eight.slice_mut(0..4)?, four)?;
    Ok(())
}
