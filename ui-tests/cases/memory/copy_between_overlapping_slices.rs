//! Copies between two parts of one buffer, which might overlap.
#![allow(unused)]

use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    buf: &mut DeviceBuf<'_, Npu<0>, [f32]>,
    other: &mut DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    let from = buf.slice(0..8)?;
    current.memcpy(buf.slice_mut(4..12)?, from) //~ mistake
    //~ instead: current.memcpy(other.slice_mut(4..12)?, from)
}
