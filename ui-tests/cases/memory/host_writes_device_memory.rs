//! Writes an element of device memory on the host.

use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    on_device: &mut DeviceBuf<'_, Npu<0>, [f32]>,
    on_host: &mut HostBuf<'_, [f32]>,
) -> Result<()> {
    on_device[0] = 1.0; //~ mistake
    //~ instead: on_host[0] = 1.0;
    current.memcpy(on_device, &*on_host)
}
