//! Copies a buffer to itself.

use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, mut buf: DeviceBuf<'_, Npu<0>, [f32]>) -> Result<()> {
    //~ instead: let mut other = current.malloc(buf.len())?;
    current.memcpy(&mut buf, &buf)?; //~ mistake
    //~ instead: current.memcpy(other, &buf)?;
    Ok(())
}
