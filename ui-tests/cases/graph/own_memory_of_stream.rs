//! Gives a graph memory that a stream may use.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    bytes: Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u8]>>,
) -> Result<()> {
    drop(stream.capture(bytes, |_, _| Ok(()))?); //~ mistake
    //~ instead: let bytes = stream.synchronize()?.take(bytes);
    //~ instead: drop(stream.capture(bytes, |_, _| Ok(()))?);
    Ok(())
}
