//! Gives both buffers of an upload away, in the wrong order.

use ascendcl::{Current, HostSide, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, side: HostSide<'_>) -> Result<()> {
    let host = current.malloc_host::<f32>(side, 16)?;
    let device = current.malloc::<f32>(16)?;
    let _ = current.memcpy(host, device)?; //~ mistake
    //~ instead: let _ = current.memcpy(device, &host)?;
    Ok(())
}
