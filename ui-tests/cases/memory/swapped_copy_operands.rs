//! Writes the operands of an upload in the wrong order.

use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    on_device: &mut DeviceBuf<'_, Npu<0>, [f32]>,
    on_host: &HostBuf<'_, [f32]>,
) -> Result<()> {
    current.memcpy(on_host, on_device) //~ mistake
    //~ instead: current.memcpy(on_device, on_host)
}
