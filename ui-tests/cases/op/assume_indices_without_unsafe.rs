//! Takes numbers as indices without a comparison and without `unsafe`.
#![allow(unused)]

use ascendcl::op::Tensor;
use ascendcl::{Current, HostSide, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    numbers: Tensor<'_, Npu<0>, i32>,
    host: HostSide<'_>,
) -> Result<()> {
    numbers.assume_indices(16); //~ mistake
    //~ instead: numbers.indices(current, host, 16)?;
    Ok(())
}
