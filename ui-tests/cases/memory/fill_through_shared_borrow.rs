//! Fills a buffer that is only borrowed for reading.

use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, mut buf: DeviceBuf<'_, Npu<0>, [f32]>) -> Result<()> {
    current.memset(&buf, 0)?; //~ mistake
    //~ instead: current.memset(&mut buf, 0)?;
    Ok(())
}
