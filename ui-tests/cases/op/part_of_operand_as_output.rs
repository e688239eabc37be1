//! Lets an operator write to a part of its operand.

use ascendcl::{Current, DeviceBuf, Npu, Result, op};

fn wrong(current: Current<'_, '_, Npu<0>>, mut buf: DeviceBuf<'_, Npu<0>, [f32]>) -> Result<()> {
    let a = buf.slice(0..16)?.tensor(&[16])?; //~ mistake
    let out = buf.slice_mut(8..24)?.into_tensor(&[16])?; //~ mistake
    //~ instead: let (a, out) = buf.split_at_mut(16)?;
    //~ instead: let (a, out) = (a.into_slice().tensor(&[16])?, out.into_tensor(&[16])?);
    op::relu(current, &a, out)?;
    Ok(())
}
