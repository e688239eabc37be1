//! Passes a fresh buffer where a written one is wanted.

use ascendcl::{Current, DeviceBuf, Npu, Result};

fn infer(_: &DeviceBuf<'_, Npu<0>, [f32]>) {}

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    let buf = current.malloc::<f32>(16)?;
    //~ instead: let buf = current.memset(buf, 0)?;
    infer(&buf); //~ mistake
    //~ instead: infer(&buf);
    Ok(())
}
