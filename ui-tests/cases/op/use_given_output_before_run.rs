//! Uses an output that was given to a plan, instead of the written one that comes back.

use ascendcl::op::{self, Tensor};
use ascendcl::{Current, Npu, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    stream: &mut Stream<'_, '_, Npu<0>>,
    a: &Tensor<'_, Npu<0>, f32>,
) -> Result<()> {
    let out = current.malloc::<f32>(16)?;
    let plan = op::mul(current, a, a, out.into_tensor(&[16])?)?;
    out.free()?; //~ mistake
    plan.run(stream)?; //~ mistake
    //~ instead: plan.run(stream)?.free()?;
    Ok(())
}
