//! Puts rows at positions whose numbers were compared with one bound, and not with the size of each dimension.

use ascendcl::op::{self, Tensor};
use ascendcl::{Current, DeviceBuf, HostSide, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    host: HostSide<'_>,
    table: &mut DeviceBuf<'_, Npu<0>, [f32]>,
    numbers: Tensor<'_, Npu<0>, i64>,
    updates: &Tensor<'_, Npu<0>, f32>,
) -> Result<()> {
    let positions = numbers.indices(current, host, 4)?; //~ mistake
    //~ instead: let positions = numbers.positions(current, host, &[2, 4])?;
    op::scatter_nd_update(current, table.tensor_mut(&[2, 4])?, &positions, updates)?;
    Ok(())
}
