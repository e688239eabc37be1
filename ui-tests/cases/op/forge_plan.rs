//! Makes a plan, which the second phase runs, without the first phase.
#![allow(unused)]

use ascendcl::op::{self, Plan, Tensor, operators::Mul};
use ascendcl::{Current, DeviceBuf, Npu, Result};

type Output<'b> = &'b mut DeviceBuf<'b, Npu<0>, [f32]>;

fn wrong<'b>(
    current: Current<'_, 'b, Npu<0>>,
    a: &Tensor<'b, Npu<0>, f32>,
    out: Output<'b>,
) -> Result<Plan<'b, 'b, Npu<0>, Mul<f32>, Output<'b>>> {
    Ok(Plan { output: out }) //~ mistake
    //~ instead: op::mul(current, a, a, out.tensor_mut(&[16])?)
}
