//! Writes the source of a queued upload in front of its destination.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, HostBuf, Npu, Queued, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    on_host: Queued<'_, (Npu<0>, Main), HostBuf<'_, [u32]>>,
    mut on_device: Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
) -> Result<()> {
    stream.memcpy_async(&on_host, &mut on_device) //~ mistake
    //~ instead: stream.memcpy_async(&mut on_device, &on_host)
}
