//! Writes to the source of a queued copy by the name that it had before.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, HostBuf, Npu, Queued, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    mut host: HostBuf<'_, [u32]>,
    target: &mut Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
) -> Result<()> {
    let source = stream.adopt(host);
    stream.memcpy_async(target, &source)?;
    //~ instead: let mut host = stream.synchronize()?.take(source);
    host[0] = 7; //~ mistake
    //~ instead: host[0] = 7;
    Ok(())
}
