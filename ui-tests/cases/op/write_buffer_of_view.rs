//! Lets an operator write to a buffer of which it reads a view.

use ascendcl::{Current, DeviceBuf, Npu, Result, op};

fn wrong(current: Current<'_, '_, Npu<0>>, mut buf: DeviceBuf<'_, Npu<0>, [f32]>) -> Result<()> {
    let every_other = buf.tensor(&[16])?.slice(0, 0..16, 2)?;
    let out = buf.tensor_mut(&[8, 2])?.select(1, 1)?; //~ mistake
    //~ instead: let out = current.malloc(8)?.into_tensor(&[8])?;
    op::mul(current, &every_other, &every_other, out)?;
    Ok(())
}
