//! Sees both operands of a queued copy of rows as rows to be written.

use ascendcl::memory::Rows;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, HostBuf, HostSide, Npu, Queued, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    side: HostSide<'_>,
    mut on_host: Queued<'_, (Npu<0>, Main), HostBuf<'_, [u8]>>,
    mut on_device: Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u8]>>,
) -> Result<()> {
    let image = Rows::new(&mut on_host, 4, 48, 48)?; //~ mistake
    //~ instead: let image = Rows::new(&on_host, 4, 48, 48)?;
    let padded = Rows::new(&mut on_device, 4, 48, 64)?;
    stream.memcpy_2d_async(image, padded, side) //~ mistake
    //~ instead: stream.memcpy_2d_async(padded, image, side)
}
