//! Writes the product of quantized matrices as numbers in single precision, which no card gives.

use ascendcl::op::{self, Tensor, TensorOut};
use ascendcl::{Current, DeviceBuf, Npu, Result};

type Output<'b, T> = TensorOut<&'b mut DeviceBuf<'b, Npu<0>, [T]>>;

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    a: &Tensor<'_, Npu<0>, i8>,
    scale: &Tensor<'_, Npu<0>, f32>,
    single: Output<'_, f32>,
    whole: Output<'_, i32>,
) -> Result<()> {
    let out = single; //~ mistake
    //~ instead: let out = whole;
    op::quant_matmul_v4(current, a, a, scale, None, None, None, false, false, out)?;
    Ok(())
}
