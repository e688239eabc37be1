//! Records an operator on memory that the graph does not own.

use ascendcl::op;
use ascendcl::{Current, DeviceBuf, Npu, Result, Stream};

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    bytes: DeviceBuf<'d, Npu<0>, [f32]>,
    current: Current<'_, 'd, Npu<0>>,
    more: &DeviceBuf<'d, Npu<0>, [f32]>,
) -> Result<()> {
    let graph = stream.capture(bytes, |recording, numbers| {
        let (a, b) = (numbers.tensor(&[4])?, more.tensor(&[4])?); //~ mistake
        //~ instead: let (a, b) = (numbers.tensor(&[4])?, numbers.tensor(&[4])?);
        let sum = recording.malloc(4)?.into_tensor(&[4])?;
        drop(op::add(current, &a, &b, 1.0, sum)?.launch(recording)?);
        Ok(())
    })?;
    drop(graph);
    Ok(())
}
