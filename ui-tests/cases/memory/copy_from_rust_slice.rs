//! Copies to a device from the elements of host memory instead of from the buffer.

use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    on_device: &mut DeviceBuf<'_, Npu<0>, [f32]>,
    on_host: &HostBuf<'_, [f32]>,
) -> Result<()> {
    current.memcpy(on_device, &on_host[0..4]) //~ mistake
    //~ instead: current.memcpy(on_device, on_host.slice(0..4)?)
}
