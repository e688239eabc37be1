//! Changes indices between the comparison with their bound and their use.

use ascendcl::op::{self, Tensor};
use ascendcl::{Current, DeviceBuf, HostSide, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    host: HostSide<'_>,
    table: &Tensor<'_, Npu<0>, f32>,
    numbers: &mut DeviceBuf<'_, Npu<0>, [i32]>,
    out: &mut DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    let indices = numbers.tensor(&[2])?.indices(current, host, 16)?; //~ mistake
    current.memset(&mut *numbers, 1)?;
    //~ instead: let indices = numbers.tensor(&[2])?.indices(current, host, 16)?;
    op::embedding(current, table, &indices, out.tensor_mut(&[2, 8])?)?;
    Ok(())
}
