//! Takes both operands of a queued copy as parts for writing.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, HostBuf, Npu, Queued, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    mut on_host: Queued<'_, (Npu<0>, Main), HostBuf<'_, [u32]>>,
    mut on_device: Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
) -> Result<()> {
    stream.memcpy_async(on_host.slice_mut(0..4)?, on_device.slice_mut(0..4)?) //~ mistake
    //~ instead: stream.memcpy_async(on_host.slice_mut(0..4)?, on_device.slice(0..4)?)
}
