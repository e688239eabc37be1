//! Reads the destination of a queued copy by the name that it had before.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, HostBuf, Npu, Queued, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    host: HostBuf<'_, [u32]>,
    source: &Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
) -> Result<u32> {
    let mut target = stream.adopt(host);
    stream.memcpy_async(&mut target, source)?;
    //~ instead: let host = stream.synchronize()?.take(target);
    Ok(host[0]) //~ mistake
    //~ instead: Ok(host[0])
}
