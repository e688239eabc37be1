//! Gives a written destination away to a queued copy.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, HostBuf, Npu, Queued, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    mut back: Queued<'_, (Npu<0>, Main), HostBuf<'_, [u32]>>,
    source: &Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
) -> Result<()> {
    stream.memcpy_async(back, source)?; //~ mistake
    //~ instead: stream.memcpy_async(&mut back, source)?;
    Ok(())
}
