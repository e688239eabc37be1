//! Frees host memory with the C function for device memory.

use ascendcl::{HostBuf, Result, sys};

fn wrong(on_host: HostBuf<'_, [f32]>) -> Result<()> {
    sys::aclrtFree(on_host.as_raw().cast()); //~ mistake
    //~ instead: on_host.free()?;
    Ok(())
}
