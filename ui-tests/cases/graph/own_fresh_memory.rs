//! Gives a graph memory that nothing has written.

use ascendcl::memory::Uninit;
use ascendcl::{Current, DeviceBuf, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    current: Current<'_, '_, Npu<0>>,
    bytes: DeviceBuf<'_, Npu<0>, [u8], Uninit>,
) -> Result<()> {
    drop(stream.capture(bytes, |_, _| Ok(()))?); //~ mistake
    //~ instead: let bytes = current.memset(bytes, 0)?;
    //~ instead: drop(stream.capture(bytes, |_, _| Ok(()))?);
    Ok(())
}
