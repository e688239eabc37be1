//! Lets an operator write to one of its operands.

use ascendcl::{Current, DeviceBuf, Npu, Result, op};

fn wrong(current: Current<'_, '_, Npu<0>>, mut buf: DeviceBuf<'_, Npu<0>, [f32]>) -> Result<()> {
    let a = buf.tensor(&[16])?;
    let out = buf.tensor_mut(&[16])?; //~ mistake
    //~ instead: let out = current.malloc(16)?.into_tensor(&[16])?;
    op::mul(current, &a, &a, out)?;
    Ok(())
}
