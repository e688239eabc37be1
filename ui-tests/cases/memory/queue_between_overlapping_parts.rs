//! Queues a copy between two parts of a buffer that overlap.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    buf: &mut Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
) -> Result<()> {
    stream.memcpy_async(buf.slice_mut(0..32)?, buf.slice(16..48)?)?; //~ mistake
    //~ instead: let (left, right) = buf.split_at_mut(32)?;
    //~ instead: stream.memcpy_async(left, right.into_slice())?;
    Ok(())
}
