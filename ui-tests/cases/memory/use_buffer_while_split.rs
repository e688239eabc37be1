//! Fills a whole buffer while one of its halves is in use.

use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, buf: &mut DeviceBuf<'_, Npu<0>, [f32]>) -> Result<()> {
    let (left, right) = buf.split_at_mut(32)?;
    current.memset(&mut *buf, 0)?; //~ mistake
    current.memset(left, 1)?;
    current.memset(right, 2)?;
    //~ instead: current.memset(&mut *buf, 0)?;
    Ok(())
}
