//! Copies from device memory that nothing has written.

use ascendcl::{Current, HostBuf, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, on_host: &mut HostBuf<'_, [f32]>) -> Result<()> {
    let fresh = current.malloc::<f32>(16)?;
    //~ instead: let fresh = current.memset(fresh, 0)?;
    current.memcpy(on_host, &fresh)?; //~ mistake
    //~ instead: current.memcpy(on_host, &fresh)?;
    Ok(())
}
