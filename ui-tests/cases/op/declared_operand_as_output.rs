//! Lets a declared operator write to its operand.

use std::marker::PhantomData;

use ascendcl::bounds::Floating;
use ascendcl::op::{In, Operator, Out, Scalar};
use ascendcl::{Current, DeviceBuf, Npu, Result};

struct LeakyRelu<T>(PhantomData<T>);
// SAFETY: the parameters in `aclnnop/aclnn_leaky_relu.h`.
unsafe impl<T: Floating> Operator for LeakyRelu<T> {
    ascendcl::operator!(aclnnLeakyRelu(x: In<T>, slope: Scalar<f32>, out: Out<T>));
}

fn wrong(current: Current<'_, '_, Npu<0>>, mut buf: DeviceBuf<'_, Npu<0>, [f32]>) -> Result<()> {
    let x = buf.tensor(&[16])?;
    let out = buf.tensor_mut(&[16])?; //~ mistake
    //~ instead: let out = current.malloc(16)?.into_tensor(&[16])?;
    LeakyRelu::plan(current, (&x, 0.1, out))?;
    Ok(())
}
