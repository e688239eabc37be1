//! Multiplies groups of rows whose numbers nobody has compared with the matrix.
#![allow(unused)]

use ascendcl::op::{self, GroupList, Tensor};
use ascendcl::{Current, DeviceBuf, HostSide, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    host: HostSide<'_>,
    [x, weight, bias]: [&Tensor<'_, Npu<0>, f32>; 3],
    sizes: Tensor<'_, Npu<0>, i64>,
    out: &mut DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    let groups = sizes; //~ mistake
    //~ instead: let groups = sizes.groups(current, host, GroupList::Sizes)?;
    let out = out.tensor_mut(&[4, 8])?;
    op::grouped_matmul_v4_of_rows(current, x, weight, Some(bias), &groups, out)?;
    Ok(())
}
