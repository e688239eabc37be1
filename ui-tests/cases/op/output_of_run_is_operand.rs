//! Lends a run of a plan the same buffer as operand and as output.

use ascendcl::op::{Repeatable, operators::Mul};
use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong<'d>(
    plan: &mut Repeatable<'d, Npu<0>, Mul<f32>>,
    stream: &mut Stream<'_, 'd, Npu<0>>,
    buf: &mut DeviceBuf<'d, Npu<0>, [f32]>,
    out: &mut DeviceBuf<'d, Npu<0>, [f32]>,
) -> Result<()> {
    out.tensor_mut(&[16])?;
    let a = buf.tensor(&[16])?;
    let to = buf.tensor_mut(&[16])?; //~ mistake
    //~ instead: let to = out.tensor_mut(&[16])?;
    plan.run(stream, (&a, &a, to))
}
