//! Gives a graph a part of a buffer.
#![allow(unused_mut)]

use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    mut bytes: DeviceBuf<'_, Npu<0>, [u8]>,
) -> Result<()> {
    drop(stream.capture(bytes.slice_mut(0..4)?, |_, _| Ok(()))?); //~ mistake
    //~ instead: drop(stream.capture(bytes, |_, _| Ok(()))?);
    Ok(())
}
