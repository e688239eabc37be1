//! Frees a buffer while a part of it is in use.

use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    on_host: &mut HostBuf<'_, [f32]>,
    on_device: DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    let part = on_device.slice(0..8)?;
    on_device.free()?; //~ mistake
    current.memcpy(on_host, part)?;
    //~ instead: on_device.free()?;
    Ok(())
}
