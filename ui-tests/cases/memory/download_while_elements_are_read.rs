//! Copies into host memory whose old elements are still in use.

use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    on_host: &mut HostBuf<'_, [f32]>,
    on_device: &DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<f32> {
    let first = &on_host[0]; //~ mistake
    //~ instead: let first = on_host[0];
    current.memcpy(&mut *on_host, on_device)?; //~ mistake
    //~ instead: current.memcpy(&mut *on_host, on_device)?;
    Ok(on_host[0] - first)
}
