//! Adds host memory to device memory without a copy.

use ascendcl::queue::ReduceKind;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, HostBuf, Npu, Queued, Result, Stream};

fn wrong<'dev>(
    stream: &mut Stream<'_, 'dev, Npu<0>, Main>,
    sum: &mut Queued<'dev, (Npu<0>, Main), DeviceBuf<'dev, Npu<0>, [f32]>>,
    part: &Queued<'dev, (Npu<0>, Main), HostBuf<'dev, [f32]>>,
) -> Result<()> {
    stream.reduce_async(sum, part, ReduceKind::Sum)?; //~ mistake
    //~ instead: let part = stream.memcpy_async(stream.malloc(16)?, part)?;
    //~ instead: stream.reduce_async(sum, &part, ReduceKind::Sum)?;
    Ok(())
}
