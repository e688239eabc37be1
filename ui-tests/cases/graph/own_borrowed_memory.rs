//! Gives a graph memory by a borrow.

use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, bytes: DeviceBuf<'_, Npu<0>, [u8]>) -> Result<()> {
    drop(stream.capture(&bytes, |_, _| Ok(()))?); //~ mistake
    //~ instead: drop(stream.capture(bytes, |_, _| Ok(()))?);
    Ok(())
}
