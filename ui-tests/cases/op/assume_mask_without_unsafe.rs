//! Says how many elements a mask chooses without a count and without `unsafe`.
#![allow(unused)]

use ascendcl::op::{Bool, Tensor};
use ascendcl::{Current, HostSide, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    mask: Tensor<'_, Npu<0>, Bool>,
    host: HostSide<'_>,
) -> Result<()> {
    mask.assume_mask(3); //~ mistake
    //~ instead: mask.mask(current, host)?;
    Ok(())
}
