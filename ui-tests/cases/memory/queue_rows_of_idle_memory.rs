//! Queues a copy of rows of memory that no stream was given.

use ascendcl::memory::Rows;
use ascendcl::queue::Queued;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, HostBuf, HostSide, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>, Main>,
    side: HostSide<'_>,
    to: &mut Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u8]>>,
    from: HostBuf<'_, [u8]>,
) -> Result<()> {
    let from = from; //~ mistake
    //~ instead: let from = stream.adopt(from);
    let to = Rows::new(to, 4, 48, 64)?;
    stream.memcpy_2d_async(to, Rows::new(&from, 4, 48, 48)?, side)
}
