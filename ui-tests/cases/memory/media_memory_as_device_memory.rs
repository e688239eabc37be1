//! Passes media memory where device memory is wanted.

use ascendcl::{Current, DeviceBuf, DvppBuf, Npu, Result};

fn infer(_: &DeviceBuf<'_, Npu<0>, [u8]>) {}

fn wrong(current: Current<'_, '_, Npu<0>>, picture: &DvppBuf<'_, Npu<0>, [u8]>) -> Result<()> {
    infer(picture); //~ mistake
    //~ instead: infer(&current.memcpy(current.malloc(picture.len())?, picture)?);
    Ok(())
}
