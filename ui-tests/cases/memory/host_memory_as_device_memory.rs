//! Passes host memory where device memory is wanted.

use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Result};

fn infer(_: &DeviceBuf<'_, Npu<0>, [f32]>) {}

fn wrong(current: Current<'_, '_, Npu<0>>, on_host: &HostBuf<'_, [f32]>) -> Result<()> {
    infer(on_host); //~ mistake
    //~ instead: infer(&current.memcpy(current.malloc(on_host.len())?, on_host)?);
    Ok(())
}
