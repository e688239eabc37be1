//! Multiplies truth values, which are no numbers.

use ascendcl::op::{self, Tensor, TensorOut};
use ascendcl::{Current, DeviceBuf, Npu, Result};

type Output<'b, T> = TensorOut<&'b mut DeviceBuf<'b, Npu<0>, [T]>>;

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    a: &Tensor<'_, Npu<0>, op::Bool>, //~ mistake
    out: Output<'_, op::Bool>, //~ mistake
    //~ instead: a: &Tensor<'_, Npu<0>, i32>,
    //~ instead: out: Output<'_, i32>,
) -> Result<()> {
    op::mul(current, a, a, out)?; //~ mistake
    //~ instead: op::mul(current, a, a, out)?;
    Ok(())
}
