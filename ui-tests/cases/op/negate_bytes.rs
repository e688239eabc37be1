//! Negates elements without a sign.

use ascendcl::op::{self, Tensor};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    bytes: &Tensor<'_, Npu<0>, u8>,
    numbers: &Tensor<'_, Npu<0>, i8>,
    unsigned: &mut DeviceBuf<'_, Npu<0>, [u8]>,
    signed: &mut DeviceBuf<'_, Npu<0>, [i8]>,
) -> Result<()> {
    op::neg(current, bytes, unsigned.tensor_mut(&[16])?)?; //~ mistake
    //~ instead: op::neg(current, numbers, signed.tensor_mut(&[16])?)?;
    Ok(())
}
