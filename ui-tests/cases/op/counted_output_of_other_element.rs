//! Writes positions to memory for other numbers.

use ascendcl::op::{self, Tensor};
use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, a: &Tensor<'_, Npu<0>, f32>) -> Result<()> {
    let out = current.malloc::<i32>(16)?.into_tensor_up_to(&[16, 1])?; //~ mistake
    //~ instead: let out = current.malloc::<i64>(16)?.into_tensor_up_to(&[16, 1])?;
    op::nonzero(current, a, out)?;
    Ok(())
}
