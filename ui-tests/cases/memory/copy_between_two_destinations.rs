//! Borrows both operands of a copy for writing, so that a swapped upload would be a download.

use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    mut on_host: HostBuf<'_, [f32]>,
    mut on_device: DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    current.memcpy(&mut on_host, &mut on_device) //~ mistake
    //~ instead: current.memcpy(&mut on_device, &on_host)
}
