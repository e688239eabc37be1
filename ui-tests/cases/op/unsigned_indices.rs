//! Uses numbers of another type than `i32` and `i64` as indices.

use ascendcl::op::Tensor;
use ascendcl::{Current, HostSide, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    host: HostSide<'_>,
    words: Tensor<'_, Npu<0>, u32>,
    numbers: Tensor<'_, Npu<0>, i32>,
) -> Result<()> {
    words.indices(current, host, 16)?; //~ mistake
    //~ instead: numbers.indices(current, host, 16)?;
    Ok(())
}
