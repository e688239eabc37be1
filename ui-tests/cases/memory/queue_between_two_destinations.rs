//! Borrows both operands of a queued copy for writing, so that a swapped upload would be a download.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, HostBuf, Npu, Queued, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    mut on_host: Queued<'_, (Npu<0>, Main), HostBuf<'_, [u32]>>,
    mut on_device: Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
) -> Result<()> {
    stream.memcpy_async(&mut on_host, &mut on_device) //~ mistake
    //~ instead: stream.memcpy_async(&mut on_device, &on_host)
}
