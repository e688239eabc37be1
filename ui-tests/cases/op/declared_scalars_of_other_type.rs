//! Gives a declared operator a list of scalars of another element type.

use ascendcl::op::{In, Operator, Out, Scalars};
use ascendcl::{Current, DeviceBuf, Npu, Result};

enum Example {}
// SAFETY: the parameters of an operator of this program; it writes all of `out`.
unsafe impl Operator for Example {
    ascendcl::operator!(aclnnExample(x: In<f32>, scales: Scalars<f32>, out: Out<f32>));
}

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    x: DeviceBuf<'_, Npu<0>, [f32]>,
    mut out: DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    let x = x.tensor(&[16])?;
    Example::plan(current, (&x, &[1i64, 2], out.tensor_mut(&[16])?))?; //~ mistake
    //~ instead: Example::plan(current, (&x, &[1.0f32, 2.0], out.tensor_mut(&[16])?))?;
    Ok(())
}
