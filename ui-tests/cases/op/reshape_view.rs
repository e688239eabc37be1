//! Gives another shape to a view whose elements do not lie one behind the other.

use ascendcl::op::Tensor;
use ascendcl::{Npu, Result};

fn wrong(a: &Tensor<'_, Npu<0>, f32>) -> Result<()> {
    a.transpose(0, 1)?.reshape(&[16])?; //~ mistake
    //~ instead: a.reshape(&[16])?;
    Ok(())
}
