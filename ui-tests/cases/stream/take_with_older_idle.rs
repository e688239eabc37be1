//! Takes a buffer back with a proof that is older than the copy to it.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, HostBuf, Npu, Queued, Result, Stream};

fn wrong<'d>(
    stream: &mut Stream<'_, '_, Npu<0>>,
    mut back: Queued<'_, (Npu<0>, Main), HostBuf<'d, [u32]>>,
    source: &Queued<'_, (Npu<0>, Main), DeviceBuf<'d, Npu<0>, [u32]>>,
) -> Result<HostBuf<'d, [u32]>> {
    let idle = stream.synchronize()?; //~ mistake
    stream.memcpy_async(&mut back, source)?; //~ mistake
    //~ instead: stream.memcpy_async(&mut back, source)?;
    //~ instead: let idle = stream.synchronize()?;
    Ok(idle.take(back))
}
