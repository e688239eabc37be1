//! Prepares two operators that write to the same memory.

use ascendcl::op::{self, Tensor};
use ascendcl::{Current, DeviceBuf, Npu, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    stream: &mut Stream<'_, '_, Npu<0>>,
    a: &Tensor<'_, Npu<0>, f32>,
    out: &mut DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    let first = op::mul(current, a, a, out.tensor_mut(&[16])?)?;
    let second = op::mul(current, a, a, out.tensor_mut(&[16])?)?; //~ mistake
    first.run(stream)?;
    //~ instead: let second = op::mul(current, a, a, out.tensor_mut(&[16])?)?;
    second.run(stream)
}
