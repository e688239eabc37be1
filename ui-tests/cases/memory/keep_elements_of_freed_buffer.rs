//! Keeps a reference into host memory longer than the memory.

use ascendcl::{HostBuf, Result};

fn wrong(on_host: HostBuf<'_, [f32]>) -> Result<f32> {
    let first = &on_host[0]; //~ mistake
    //~ instead: let first = on_host[0];
    on_host.free()?; //~ mistake
    Ok(*first) //~ mistake
    //~ instead: on_host.free()?;
    //~ instead: Ok(first)
}
