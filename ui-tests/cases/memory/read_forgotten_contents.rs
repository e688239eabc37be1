//! Copies from a buffer whose contents were given up.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, HostBuf, Npu, Queued, Result, Stream};

type Memory<'d> = Queued<'d, (Npu<0>, Main), DeviceBuf<'d, Npu<0>, [u32]>>;

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    back: &mut Queued<'_, (Npu<0>, Main), HostBuf<'_, [u32]>>,
    memory: Memory<'_>,
) -> Result<()> {
    let fresh = memory.forget_contents();
    //~ instead: let fresh = stream.memset_async(fresh, 0)?;
    stream.memcpy_async(back, &fresh) //~ mistake
    //~ instead: stream.memcpy_async(back, &fresh)
}
