//! Copies from a buffer that was freed.

use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    on_host: &mut HostBuf<'_, [f32]>,
    on_device: DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    on_device.free()?; //~ mistake
    current.memcpy(on_host, &on_device)?; //~ mistake
    //~ instead: current.memcpy(on_host, &on_device)?;
    //~ instead: on_device.free()?;
    Ok(())
}
