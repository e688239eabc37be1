//! Overwrites positions after they were compared with the dimensions, and before an operator reads them.

use ascendcl::op::{self, Tensor};
use ascendcl::{Current, DeviceBuf, HostSide, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    host: HostSide<'_>,
    table: &mut DeviceBuf<'_, Npu<0>, [f32]>,
    mut numbers: DeviceBuf<'_, Npu<0>, [i64]>,
    updates: &Tensor<'_, Npu<0>, f32>,
) -> Result<()> {
    let positions = numbers.tensor(&[1, 2])?.positions(current, host, &[2, 4])?;
    current.memset(&mut numbers, 0x7f)?; //~ mistake
    op::scatter_nd_update(current, table.tensor_mut(&[2, 4])?, &positions, updates)?;
    Ok(())
}
