//! Changes the sizes of groups between the comparison and their use.

use ascendcl::op::{self, GroupList, Tensor};
use ascendcl::{Current, DeviceBuf, HostSide, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    host: HostSide<'_>,
    [x, weight, bias]: [&Tensor<'_, Npu<0>, f32>; 3],
    sizes: &mut DeviceBuf<'_, Npu<0>, [i64]>,
    out: &mut DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    let groups = sizes.tensor(&[2])?.groups(current, host, GroupList::Sizes)?; //~ mistake
    current.memset(&mut *sizes, 1)?;
    //~ instead: let groups = sizes.tensor(&[2])?.groups(current, host, GroupList::Sizes)?;
    let out = out.tensor_mut(&[4, 8])?;
    op::grouped_matmul_v4_of_rows(current, x, weight, Some(bias), &groups, out)?;
    Ok(())
}
