//! Reads an element of a part of device memory on the host.

use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    on_device: &DeviceBuf<'_, Npu<0>, [f32]>,
    on_host: &mut HostBuf<'_, [f32]>,
) -> Result<f32> {
    let part = on_device.slice(2..4)?;
    current.memcpy(&mut *on_host, part)?;
    Ok(part[0]) //~ mistake
    //~ instead: Ok(on_host[0])
}
