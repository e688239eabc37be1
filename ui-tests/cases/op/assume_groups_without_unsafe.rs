//! Says how many rows groups have without a comparison and without `unsafe`.
#![allow(unused)]

use ascendcl::op::{GroupList, Tensor};
use ascendcl::{Current, HostSide, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    sizes: Tensor<'_, Npu<0>, i64>,
    host: HostSide<'_>,
) -> Result<()> {
    sizes.assume_groups(GroupList::Sizes, 4); //~ mistake
    //~ instead: sizes.groups(current, host, GroupList::Sizes)?;
    Ok(())
}
