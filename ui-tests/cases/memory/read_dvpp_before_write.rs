//! Copies from media memory that nothing has written.

use ascendcl::{Current, HostBuf, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, on_host: &mut HostBuf<'_, [u8]>) -> Result<()> {
    let fresh = current.malloc_dvpp::<u8>(16)?;
    //~ instead: let fresh = current.memset(fresh, 0)?;
    current.memcpy(on_host, &fresh)?; //~ mistake
    //~ instead: current.memcpy(on_host, &fresh)?;
    Ok(())
}
