//! Runs an operator of idle memory on a recording.

use ascendcl::memory::Uninit;
use ascendcl::op;
use ascendcl::{Current, DeviceBuf, Npu, Result, Stream};

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    bytes: DeviceBuf<'d, Npu<0>, [f32]>,
    current: Current<'_, 'd, Npu<0>>,
    more: &DeviceBuf<'d, Npu<0>, [f32]>,
    sum: DeviceBuf<'d, Npu<0>, [f32], Uninit>,
) -> Result<()> {
    let graph = stream.capture(bytes, |recording, numbers| {
        let sum = sum.into_tensor(&[4])?;
        let plan = op::add(current, &more.tensor(&[4])?, &more.tensor(&[4])?, 1.0, sum)?;
        drop(plan.run(recording)?); //~ mistake
        recording.memset_async(numbers, 1)
    })?;
    drop(graph);
    Ok(())
}
