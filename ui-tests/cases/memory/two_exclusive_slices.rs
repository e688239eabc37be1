//! Holds two parts of one buffer for writing at the same time.

use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, mut buf: DeviceBuf<'_, Npu<0>, [f32]>) -> Result<()> {
    let first = buf.slice_mut(0..8)?;
    let second = buf.slice_mut(8..16)?; //~ mistake
    current.memset(first, 0)?;
    //~ instead: let second = buf.slice_mut(8..16)?;
    current.memset(second, 1)
}
