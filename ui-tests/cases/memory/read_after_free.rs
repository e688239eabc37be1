//! Reads host memory that was freed.

use ascendcl::{HostBuf, Result};

fn wrong(on_host: HostBuf<'_, [f32]>) -> Result<f32> {
    //~ instead: let first = on_host[0];
    on_host.free()?;
    Ok(on_host[0]) //~ mistake
    //~ instead: Ok(first)
}
