//! Chooses elements by a mask that nobody has counted.

use ascendcl::op::{self, Bool, Tensor};
use ascendcl::{Current, DeviceBuf, HostSide, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    host: HostSide<'_>,
    a: &Tensor<'_, Npu<0>, f32>,
    mask: Tensor<'_, Npu<0>, Bool>,
    out: &mut DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    op::index_mask(current, a, &mask, out.tensor_mut(&[3])?)?; //~ mistake
    //~ instead: op::index_mask(current, a, &mask.mask(current, host)?, out.tensor_mut(&[3])?)?;
    Ok(())
}
