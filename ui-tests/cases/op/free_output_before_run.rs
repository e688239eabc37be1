//! Frees an output between the two phases of an operator.

use ascendcl::op::{self, Tensor};
use ascendcl::{Current, DeviceBuf, Npu, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    stream: &mut Stream<'_, '_, Npu<0>>,
    a: &Tensor<'_, Npu<0>, f32>,
    mut out: DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    let plan = op::mul(current, a, a, out.tensor_mut(&[16])?)?;
    out.free()?; //~ mistake
    plan.run(stream)?;
    //~ instead: out.free()?;
    Ok(())
}
