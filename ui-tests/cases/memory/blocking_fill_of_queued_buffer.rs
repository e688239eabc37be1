//! Fills memory that a stream may be reading, with a call that waits for no stream.

use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, Npu, Queued, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    stream: &mut Stream<'_, '_, Npu<0>>,
    queued: &mut Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
) -> Result<()> {
    current.memset(queued, 0)?; //~ mistake
    //~ instead: stream.memset_async(queued, 0)?;
    Ok(())
}
