//! Lends fresh queued memory to an operator instead of giving it away.

use ascendcl::op::{self, Tensor};
use ascendcl::stream::Main;
use ascendcl::{Current, Npu, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    stream: &Stream<'_, '_, Npu<0>>,
    a: &Tensor<'_, (Npu<0>, Main), f32>,
) -> Result<()> {
    let mut out = stream.adopt(current.malloc::<f32>(16)?);
    drop(op::mul(current, a, a, out.tensor_mut(&[16])?)?); //~ mistake
    //~ instead: drop(op::mul(current, a, a, out.into_tensor(&[16])?)?);
    Ok(())
}
