//! Asks for the overflow status in host memory, which the device does not write.

use ascendcl::{HostSide, Npu, Result, Stream};

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, host: HostSide<'_>) -> Result<()> {
    let status = stream.malloc_host_as::<[u8; 64]>(host)?; //~ mistake
    //~ instead: let status = stream.malloc_as::<[u8; 64]>()?;
    let status = stream.overflow_status(status)?;
    stream.synchronize()?.take(status).free()
}
