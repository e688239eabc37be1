//! Multiplies matrices of a type that tensors hold but the matrix unit does not take.

use ascendcl::op::{self, CubeMath, Tensor, TensorOut};
use ascendcl::{Current, DeviceBuf, Npu, Result};

type Output<'b, T> = TensorOut<&'b mut DeviceBuf<'b, Npu<0>, [T]>>;

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    a: &Tensor<'_, Npu<0>, f64>, //~ mistake
    out: Output<'_, f64>, //~ mistake
    //~ instead: a: &Tensor<'_, Npu<0>, f32>,
    //~ instead: out: Output<'_, f32>,
) -> Result<()> {
    op::matmul(current, a, a, out, CubeMath::Keep)?; //~ mistake
    //~ instead: op::matmul(current, a, a, out, CubeMath::Keep)?;
    Ok(())
}
