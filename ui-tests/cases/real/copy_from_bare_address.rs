//! Copies from a bare address, whose side somebody would have to guess.

use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    on_host: &mut HostBuf<'_, [f32]>,
    on_device: &DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    current.memcpy(on_host, on_device.as_raw()) //~ mistake
    //~ instead: current.memcpy(on_host, on_device)
}
