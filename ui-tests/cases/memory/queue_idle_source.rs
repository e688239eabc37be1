//! Queues a copy from a buffer that the host still owns.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, HostBuf, Npu, Queued, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    target: &mut Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
    host: HostBuf<'_, [u32]>,
) -> Result<()> {
    stream.memcpy_async(target, &host)?; //~ mistake
    //~ instead: let source = stream.adopt(host);
    //~ instead: stream.memcpy_async(target, &source)?;
    Ok(())
}
