//! Gives a declared operator a text of Rust where C takes one that ends with a zero.

use ascendcl::op::{In, Operator, Out, Text};
use ascendcl::{Current, DeviceBuf, Npu, Result};

enum Example {}
// SAFETY: the parameters of an operator of this program; it writes all of `out`.
unsafe impl Operator for Example {
    ascendcl::operator!(aclnnExample(x: In<f32>, mode: Text, out: Out<f32>));
}

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    x: DeviceBuf<'_, Npu<0>, [f32]>,
    mut out: DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    let x = x.tensor(&[16])?;
    Example::plan(current, (&x, "mean", out.tensor_mut(&[16])?))?; //~ mistake
    //~ instead: Example::plan(current, (&x, c"mean", out.tensor_mut(&[16])?))?;
    Ok(())
}
