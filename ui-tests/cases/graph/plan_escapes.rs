//! Returns a plan of recorded memory from the closure.

use ascendcl::op;
use ascendcl::{Current, DeviceBuf, Npu, Result, Stream};

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    bytes: DeviceBuf<'d, Npu<0>, [f32]>,
    current: Current<'_, 'd, Npu<0>>,
) -> Result<()> {
    let graph = stream.capture(bytes, |recording, numbers| {
        let sum = recording.malloc(4)?.into_tensor(&[4])?;
        let plan = op::add(current, &numbers.tensor(&[4])?, &numbers.tensor(&[4])?, 1.0, sum)?;
        Ok(plan) //~ mistake
        //~ instead: drop(plan.launch(recording)?);
        //~ instead: Ok(())
    })?;
    drop(graph);
    Ok(())
}
