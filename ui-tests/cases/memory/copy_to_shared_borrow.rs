//! Copies to a buffer that is only borrowed for reading.

use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    mut on_host: HostBuf<'_, [f32]>,
    on_device: DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    current.memcpy(&on_host, &on_device) //~ mistake
    //~ instead: current.memcpy(&mut on_host, &on_device)
}
