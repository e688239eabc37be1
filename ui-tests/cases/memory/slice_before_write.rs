//! Takes a part of device memory that nothing has written.

use ascendcl::{Current, HostBuf, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, on_host: &mut HostBuf<'_, [f32]>) -> Result<()> {
    let fresh = current.malloc::<f32>(16)?;
    let part = fresh.slice(0..8)?; //~ mistake
    //~ instead: let written = current.memset(fresh, 0)?;
    //~ instead: let part = written.slice(0..8)?;
    current.memcpy(on_host, part)
}
