//! Puts rows at positions that nobody has compared with the table.

use ascendcl::op::{self, Positions, Tensor};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    table: &mut DeviceBuf<'_, Npu<0>, [f32]>,
    numbers: &Tensor<'_, Npu<0>, i64>,
    positions: &Positions<'_, Npu<0>, i64>,
    updates: &Tensor<'_, Npu<0>, f32>,
) -> Result<()> {
    op::scatter_nd_update(current, table.tensor_mut(&[2, 4])?, numbers, updates)?; //~ mistake
    //~ instead: op::scatter_nd_update(current, table.tensor_mut(&[2, 4])?, positions, updates)?;
    Ok(())
}
