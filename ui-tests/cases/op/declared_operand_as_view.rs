//! Gives a view to a declared operator whose parameter is a contiguous tensor.

use ascendcl::op::{In, Operator, Out, Tensor, View};
use ascendcl::{Current, DeviceBuf, Npu, Result};

enum Sign {}
// SAFETY: the parameters of `aclnnop/aclnn_sign.h`, CANN 8.1; it writes all of `out`, and takes views.
unsafe impl Operator for Sign {
    ascendcl::operator!(aclnnSign(x: In<f32>, out: Out<f32>)); //~ mistake
    //~ instead: ascendcl::operator!(aclnnSign(x: View<In<f32>>, out: Out<f32>));
}

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    x: &Tensor<'_, Npu<0>, f32>,
    out: &mut DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    let x = x.transpose(0, 1)?;
    Sign::plan(current, (&x, out.tensor_mut(&[4, 4])?))?; //~ mistake
    //~ instead: Sign::plan(current, (&x, out.tensor_mut(&[4, 4])?))?;
    Ok(())
}

fn main() {
    let _ = (wrong, None::<View<In<f32>>>);
}
