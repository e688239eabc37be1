//! Gives a buffer that was written before to a copy instead of lending it.

use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    mut on_device: DeviceBuf<'_, Npu<0>, [f32]>,
    on_host: &HostBuf<'_, [f32]>,
) -> Result<()> {
    current.memcpy(on_device, on_host)?; //~ mistake
    //~ instead: current.memcpy(&mut on_device, on_host)?;
    Ok(())
}
