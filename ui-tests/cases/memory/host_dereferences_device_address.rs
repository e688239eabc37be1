//! Reads the address of device memory on the host.

use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    on_device: &DeviceBuf<'_, Npu<0>, [f32]>,
    on_host: &mut HostBuf<'_, [f32]>,
) -> Result<f32> {
    current.memcpy(&mut *on_host, on_device)?;
    Ok(*on_device.as_raw()) //~ mistake
    //~ instead: Ok(on_host[0])
}
