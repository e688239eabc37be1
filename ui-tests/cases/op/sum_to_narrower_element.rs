//! Sums numbers into an element type that is narrower than theirs.

use ascendcl::op::{self, Tensor};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    a: &Tensor<'_, Npu<0>, i32>,
    narrow: &mut DeviceBuf<'_, Npu<0>, [i16]>,
    wide: &mut DeviceBuf<'_, Npu<0>, [i64]>,
) -> Result<()> {
    op::reduce_sum(current, a, &[], false, narrow.tensor_mut(&[])?)?; //~ mistake
    //~ instead: op::reduce_sum(current, a, &[], false, wide.tensor_mut(&[])?)?;
    Ok(())
}
