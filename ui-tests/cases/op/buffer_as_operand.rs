//! Passes a buffer without a shape to an operator.

use ascendcl::op::{self, TensorOut};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    a: &DeviceBuf<'_, Npu<0>, [f32]>,
    out: TensorOut<&mut DeviceBuf<'_, Npu<0>, [f32]>>,
) -> Result<()> {
    //~ instead: let a = &a.tensor(&[16])?;
    op::mul(current, a, a, out)?; //~ mistake
    //~ instead: op::mul(current, a, a, out)?;
    Ok(())
}
