//! Passes a declared operator an output of another element type than its operand.

use std::marker::PhantomData;

use ascendcl::bounds::Floating;
use ascendcl::op::{In, Operator, Out, Scalar, Tensor, TensorOut};
use ascendcl::{Current, DeviceBuf, Npu, Result};

struct LeakyRelu<T>(PhantomData<T>);
// SAFETY: the parameters in `aclnnop/aclnn_leaky_relu.h`.
unsafe impl<T: Floating> Operator for LeakyRelu<T> {
    ascendcl::operator!(aclnnLeakyRelu(x: In<T>, slope: Scalar<f32>, out: Out<T>));
}

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    x: &Tensor<'_, Npu<0>, f32>,
    doubles: TensorOut<&mut DeviceBuf<'_, Npu<0>, [f64]>>,
    floats: TensorOut<&mut DeviceBuf<'_, Npu<0>, [f32]>>,
) -> Result<()> {
    LeakyRelu::plan(current, (x, 0.1, doubles))?; //~ mistake
    //~ instead: LeakyRelu::plan(current, (x, 0.1, floats))?;
    Ok(())
}
