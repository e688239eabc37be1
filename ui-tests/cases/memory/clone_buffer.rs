//! Clones a buffer, which would be freed twice.

use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, buf: DeviceBuf<'_, Npu<0>, [f32]>) -> Result<()> {
    let copy = buf.clone(); //~ mistake
    //~ instead: let copy = current.memcpy(current.malloc(buf.len())?, &buf)?;
    copy.free()
}
