//! Writes the source of an upload in front of its destination.

use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    on_host: HostBuf<'_, [f32]>,
    mut on_device: DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    current.memcpy(&on_host, &mut on_device) //~ mistake
    //~ instead: current.memcpy(&mut on_device, &on_host)
}
