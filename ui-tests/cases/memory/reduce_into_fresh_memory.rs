//! Adds to memory that nothing has written.

use ascendcl::queue::ReduceKind;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

fn wrong<'dev>(
    stream: &mut Stream<'_, 'dev, Npu<0>, Main>,
    part: &Queued<'dev, (Npu<0>, Main), DeviceBuf<'dev, Npu<0>, [f32]>>,
) -> Result<()> {
    let fresh = stream.malloc::<f32>(16)?;
    stream.reduce_async(fresh, part, ReduceKind::Sum)?; //~ mistake
    //~ instead: let mut sum = stream.memset_async(fresh, 0)?;
    //~ instead: stream.reduce_async(&mut sum, part, ReduceKind::Sum)?;
    Ok(())
}
