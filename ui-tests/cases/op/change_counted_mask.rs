//! Changes a mask between the count of its true elements and its use.

use ascendcl::op::{self, Bool, Tensor};
use ascendcl::{Current, DeviceBuf, HostSide, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    host: HostSide<'_>,
    a: &Tensor<'_, Npu<0>, f32>,
    bools: &mut DeviceBuf<'_, Npu<0>, [Bool]>,
    out: &mut DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    let mask = bools.tensor(&[16])?.mask(current, host)?; //~ mistake
    current.memset(&mut *bools, 1)?;
    //~ instead: let mask = bools.tensor(&[16])?.mask(current, host)?;
    op::index_mask(current, a, &mask, out.tensor_mut(&[16])?)?;
    Ok(())
}
