//! Uses a fresh output by its old name after it was given to an operator.

use ascendcl::op::{self, Tensor};
use ascendcl::stream::Main;
use ascendcl::{Current, Npu, Result, Stream};

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    stream: &mut Stream<'_, 'd, Npu<0>>,
    a: &Tensor<'_, (Npu<0>, Main), f32>,
) -> Result<()> {
    let out = stream.adopt(current.malloc::<f32>(16)?);
    let plan = op::mul(current, a, a, out.into_tensor(&[16])?)?;
    drop(plan.launch(stream)?); //~ mistake
    //~ instead: let out = plan.launch(stream)?.into_output();
    stream.synchronize()?.take(out).free() //~ mistake
    //~ instead: stream.synchronize()?.take(out).free()
}
