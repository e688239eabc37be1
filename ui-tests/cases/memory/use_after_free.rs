//! Fills a buffer that was freed.

use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, mut buf: DeviceBuf<'_, Npu<0>, [f32]>) -> Result<()> {
    buf.free()?; //~ mistake
    current.memset(&mut buf, 0)?; //~ mistake
    //~ instead: current.memset(&mut buf, 0)?;
    //~ instead: buf.free()?;
    Ok(())
}
