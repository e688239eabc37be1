//! Copies to a part of a buffer that is only borrowed for reading.

use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    on_device: &mut DeviceBuf<'_, Npu<0>, [f32]>,
    on_host: &HostBuf<'_, [f32]>,
) -> Result<()> {
    current.memcpy(on_device.slice(0..4)?, on_host.slice(0..4)?) //~ mistake
    //~ instead: current.memcpy(on_device.slice_mut(0..4)?, on_host.slice(0..4)?)
}
