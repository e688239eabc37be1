//! Compares elements of a type that cards do not compare.

use ascendcl::op::{self, Bool, Tensor};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    words: &Tensor<'_, Npu<0>, u64>,
    numbers: &Tensor<'_, Npu<0>, i64>,
    out: &mut DeviceBuf<'_, Npu<0>, [Bool]>,
) -> Result<()> {
    op::eq_tensor(current, words, words, out.tensor_mut(&[16])?)?; //~ mistake
    //~ instead: op::eq_tensor(current, numbers, numbers, out.tensor_mut(&[16])?)?;
    Ok(())
}
