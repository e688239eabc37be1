//! Frees memory while the tensor that it is lent to lives.

use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, buffer: DeviceBuf<'_, Npu<0>, [f32]>) -> Result<()> {
    let tensor = current.to_dlpack(buffer.slice(0..4)?, &[2, 2])?;
    buffer.free()?; //~ mistake
    drop(tensor);
    //~ instead: buffer.free()?;
    Ok(())
}
