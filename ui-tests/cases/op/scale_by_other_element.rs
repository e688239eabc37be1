//! Scales integers by a floating-point number.

use ascendcl::op::{self, Tensor, TensorOut};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    a: &Tensor<'_, Npu<0>, i32>,
    out: TensorOut<&mut DeviceBuf<'_, Npu<0>, [i32]>>,
) -> Result<()> {
    op::add(current, a, a, 0.5, out)?; //~ mistake
    //~ instead: op::add(current, a, a, 2, out)?;
    Ok(())
}
