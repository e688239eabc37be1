//! Gives a graph memory by an exclusive borrow.
#![allow(unused_mut)]

use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    mut bytes: DeviceBuf<'_, Npu<0>, [u8]>,
) -> Result<()> {
    drop(stream.capture(&mut bytes, |_, _| Ok(()))?); //~ mistake
    //~ instead: drop(stream.capture(bytes, |_, _| Ok(()))?);
    Ok(())
}
