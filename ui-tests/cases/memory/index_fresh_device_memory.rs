//! Reads an element of device memory that nothing has written.

use ascendcl::memory::Uninit;
use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    fresh: DeviceBuf<'_, Npu<0>, [f32], Uninit>,
    on_host: &mut HostBuf<'_, [f32]>,
) -> Result<f32> {
    Ok(fresh[0]) //~ mistake
    //~ instead: current.memcpy(&mut *on_host, &current.memset(fresh, 0)?)?;
    //~ instead: Ok(on_host[0])
}
