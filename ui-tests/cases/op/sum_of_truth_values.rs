//! Sums truth values, which are no numbers.

use ascendcl::op::{self, Bool, Tensor};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    truths: &Tensor<'_, Npu<0>, Bool>,
    numbers: &Tensor<'_, Npu<0>, u8>,
    out: &mut DeviceBuf<'_, Npu<0>, [i64]>,
) -> Result<()> {
    op::reduce_sum(current, truths, &[], false, out.tensor_mut(&[])?)?; //~ mistake
    //~ instead: op::reduce_sum(current, numbers, &[], false, out.tensor_mut(&[])?)?;
    Ok(())
}
