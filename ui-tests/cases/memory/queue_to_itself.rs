//! Queues a copy of a buffer to itself.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    mut buf: Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
) -> Result<()> {
    stream.memcpy_async(&mut buf, &buf)?; //~ mistake
    //~ instead: let (right, left) = buf.split_at_mut(16)?;
    //~ instead: stream.memcpy_async(right, left.into_slice())?;
    Ok(())
}
