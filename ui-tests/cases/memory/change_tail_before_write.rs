//! Has an operator change the next elements of a buffer that grows in place, before any work has written them.

use ascendcl::memory::ReservedBuf;
use ascendcl::stream::Main;
use ascendcl::{Current, Npu, Queued, Result, Stream, op};

fn wrong<'dev>(
    current: Current<'_, 'dev, Npu<0>>,
    stream: &mut Stream<'_, 'dev, Npu<0>>,
    cache: &mut Queued<'_, (Npu<0>, Main), ReservedBuf<'_, Npu<0>, f32>>,
) -> Result<()> {
    let tail = cache.grow(current, 16)?;
    let plan = op::inplace_sigmoid(current, tail.into_tensor(&[16])?)?; //~ mistake
    //~ instead: let tail = stream.memset_async(tail, 0)?;
    //~ instead: let plan = op::inplace_sigmoid(current, tail.into_tensor(&[16])?)?;
    plan.launch(stream)?;
    Ok(())
}
