//! Uses one of two outputs before the operator has run.

use ascendcl::op::{self, Extreme, Tensor};
use ascendcl::{Current, DeviceBuf, Npu, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    stream: &mut Stream<'_, '_, Npu<0>>,
    a: &Tensor<'_, Npu<0>, f32>,
    mut indices: DeviceBuf<'_, Npu<0>, [i64]>,
) -> Result<()> {
    let values = current.malloc(4)?.into_tensor(&[4])?;
    let plan = op::topk(current, a, 4, 0, Extreme::Largest, values, indices.tensor_mut(&[4])?)?;
    indices.tensor(&[4])?; //~ mistake
    plan.run(stream)?;
    //~ instead: indices.tensor(&[4])?;
    Ok(())
}
