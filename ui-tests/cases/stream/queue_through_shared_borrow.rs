//! Queues a fill on a stream that others may hold as idle.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

fn wrong(
    stream: &Stream<'_, '_, Npu<0>>, //~ mistake
    //~ instead: stream: &mut Stream<'_, '_, Npu<0>>,
    queued: &mut Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
) -> Result<()> {
    stream.memset_async(queued, 0)?; //~ mistake
    //~ instead: stream.memset_async(queued, 0)?;
    Ok(())
}
