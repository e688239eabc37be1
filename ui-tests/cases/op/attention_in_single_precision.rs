//! Computes attention for inference in single precision, which a card has for training only.

use ascendcl::bounds::Half;
use ascendcl::op::{self, InferAttentionOptions, Tensor, TensorOut};
use ascendcl::{Current, DeviceBuf, Npu, Result};

type Output<'b, T> = TensorOut<&'b mut DeviceBuf<'b, Npu<0>, [T]>>;

fn wrong<T: Half>(
    current: Current<'_, '_, Npu<0>>,
    single: (&Tensor<'_, Npu<0>, f32>, Output<'_, f32>),
    half: (&Tensor<'_, Npu<0>, T>, Output<'_, T>),
    options: &InferAttentionOptions<'_>,
) -> Result<()> {
    let (a, out) = single; //~ mistake
    //~ instead: let (a, out) = half;
    op::prompt_flash_attention_v3(current, a, a, a, None, None, options, out)?;
    Ok(())
}

fn main() {}
