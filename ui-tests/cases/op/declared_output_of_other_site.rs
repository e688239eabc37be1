//! Lets a declared operator on idle memory write to memory that a stream has.

use std::marker::PhantomData;

use ascendcl::bounds::Floating;
use ascendcl::op::{In, Operator, Out, Scalar, Tensor, TensorOut};
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, Npu, Queued, Result};

struct LeakyRelu<T>(PhantomData<T>);
// SAFETY: the parameters in `aclnnop/aclnn_leaky_relu.h`.
unsafe impl<T: Floating> Operator for LeakyRelu<T> {
    ascendcl::operator!(aclnnLeakyRelu(x: In<T>, slope: Scalar<f32>, out: Out<T>));
}

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    x: &Tensor<'_, Npu<0>, f32>,
    queued: TensorOut<&mut Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [f32]>>>,
    idle: TensorOut<&mut DeviceBuf<'_, Npu<0>, [f32]>>,
) -> Result<()> {
    LeakyRelu::<f32>::plan(current, (x, 0.1, queued))?; //~ mistake
    //~ instead: LeakyRelu::<f32>::plan(current, (x, 0.1, idle))?;
    Ok(())
}
