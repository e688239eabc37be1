//! Lends a fresh buffer to a copy instead of giving it away: nothing would say that it was written.

use ascendcl::{Current, HostBuf, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, on_host: &HostBuf<'_, [f32]>) -> Result<()> {
    let mut fresh = current.malloc::<f32>(16)?;
    current.memcpy(&mut fresh, on_host)?; //~ mistake
    //~ instead: current.memcpy(fresh, on_host)?.free()?;
    Ok(())
}
