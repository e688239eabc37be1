//! Copies eight elements of a device into four on the host.

use ascendcl::{Current, DeviceBuf, HostSide, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    host: HostSide<'_>,
    eight: &DeviceBuf<'_, Npu<0>, [f32; 8]>,
) -> Result<()> {
    let mut on_host = current.malloc_host_as::<[f32; 4]>(host)?; //~ mistake
    //~ instead: let mut on_host = current.malloc_host_as::<[f32; 8]>(host)?;
    current.memcpy(&mut on_host, eight) //~ mistake
    //~ instead: current.memcpy(&mut on_host, eight)
}
