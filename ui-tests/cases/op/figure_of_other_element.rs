//! Gives the mean of a normalisation another element type than its operand has.

use ascendcl::op::{self, Tensor};
use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, a: &Tensor<'_, Npu<0>, f32>) -> Result<()> {
    let out = current.malloc(8)?.into_tensor(&[4, 2])?;
    let mean = current.malloc::<f64>(4)?.into_tensor(&[4, 1])?; //~ mistake
    //~ instead: let mean = current.malloc::<f32>(4)?.into_tensor(&[4, 1])?;
    op::layer_norm(current, a, &[2], None, None, 1e-5, out, Some(mean), ())?;
    Ok(())
}
