//! Prepares an operator with queued operands and an output that the host has.

use ascendcl::op::{self, Tensor};
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, Npu, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    stream: &Stream<'_, '_, Npu<0>>,
    a: &Tensor<'_, (Npu<0>, Main), f32>,
    mut out: DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    drop(op::mul(current, a, a, out.tensor_mut(&[16])?)?); //~ mistake
    //~ instead: drop(op::mul(current, a, a, stream.adopt(out).tensor_mut(&[16])?)?);
    Ok(())
}
