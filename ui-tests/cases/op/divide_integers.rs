//! Divides integers, which the operator computes for floating-point numbers only.

use ascendcl::op::{self, Tensor, TensorOut};
use ascendcl::{Current, DeviceBuf, Npu, Result};

type Output<'b, T> = TensorOut<&'b mut DeviceBuf<'b, Npu<0>, [T]>>;

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    integers: (&Tensor<'_, Npu<0>, i32>, Output<'_, i32>),
    floats: (&Tensor<'_, Npu<0>, f32>, Output<'_, f32>),
) -> Result<()> {
    op::div(current, integers.0, integers.0, integers.1)?; //~ mistake
    //~ instead: op::div(current, floats.0, floats.0, floats.1)?;
    Ok(())
}
