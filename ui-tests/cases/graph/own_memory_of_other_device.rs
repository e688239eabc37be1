//! Gives a graph memory of another device.
#![allow(unused)]

use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    on_0: DeviceBuf<'_, Npu<0>, [u8]>,
    on_1: DeviceBuf<'_, Npu<1>, [u8]>,
) -> Result<()> {
    drop(stream.capture(on_1, |_, _| Ok(()))?); //~ mistake
    //~ instead: drop(stream.capture(on_0, |_, _| Ok(()))?);
    Ok(())
}
