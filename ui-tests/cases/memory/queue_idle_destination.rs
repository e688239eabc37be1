//! Queues a copy to a buffer that the host still owns.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, HostBuf, Npu, Queued, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    mut host: HostBuf<'_, [u32]>,
    source: &Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
) -> Result<()> {
    stream.memcpy_async(&mut host, source)?; //~ mistake
    //~ instead: let mut target = stream.adopt(host);
    //~ instead: stream.memcpy_async(&mut target, source)?;
    Ok(())
}
