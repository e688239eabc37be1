//! Adds elements of a type that the operator does not take.

use ascendcl::op::{self, Tensor, TensorOut};
use ascendcl::{Current, DeviceBuf, Npu, Result};

type Output<'b, T> = TensorOut<&'b mut DeviceBuf<'b, Npu<0>, [T]>>;

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    a: &Tensor<'_, Npu<0>, u8>, //~ mistake
    out: Output<'_, u8>, //~ mistake
    //~ instead: a: &Tensor<'_, Npu<0>, i32>,
    //~ instead: out: Output<'_, i32>,
) -> Result<()> {
    op::add(current, a, a, 1, out)?; //~ mistake
    //~ instead: op::add(current, a, a, 1, out)?;
    Ok(())
}

fn main() {
    let _ = wrong;
}
