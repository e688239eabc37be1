//! Takes both operands of a copy as slices for writing.

use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    mut on_host: HostBuf<'_, [f32]>,
    mut on_device: DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    current.memcpy(on_host.slice_mut(0..4)?, on_device.slice_mut(0..4)?) //~ mistake
    //~ instead: current.memcpy(on_host.slice_mut(0..4)?, on_device.slice(0..4)?)
}
