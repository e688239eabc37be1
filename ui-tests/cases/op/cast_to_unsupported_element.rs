//! Casts to an element type that the operator does not give.

use ascendcl::op::{self, Tensor};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    a: &Tensor<'_, Npu<0>, f32>,
    words: &mut DeviceBuf<'_, Npu<0>, [u64]>,
    integers: &mut DeviceBuf<'_, Npu<0>, [i64]>,
) -> Result<()> {
    op::cast(current, a, words.tensor_mut(&[16])?)?; //~ mistake
    //~ instead: op::cast(current, a, integers.tensor_mut(&[16])?)?;
    Ok(())
}
