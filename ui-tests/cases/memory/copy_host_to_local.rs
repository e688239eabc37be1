//! Asks AscendCL for a copy from host memory to local memory.

use ascendcl::{Current, HostBuf, LocalBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    to: &mut LocalBuf<'_, [f32]>,
    from: &HostBuf<'_, [f32]>,
) -> Result<()> {
    current.memcpy(to, from)?; //~ mistake
    //~ instead: to.copy_from_slice(from);
    Ok(())
}
