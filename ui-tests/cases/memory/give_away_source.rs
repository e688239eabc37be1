//! Gives the source of a copy away instead of lending it.

use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    on_device: &mut DeviceBuf<'_, Npu<0>, [f32]>,
    on_host: HostBuf<'_, [f32]>,
) -> Result<()> {
    current.memcpy(on_device, on_host) //~ mistake
    //~ instead: current.memcpy(on_device, &on_host)
}
