//! Copies from memory that a stream may be writing, with a call that waits for no stream.

use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Queued, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    stream: &mut Stream<'_, '_, Npu<0>>,
    back: &mut HostBuf<'_, [u32]>,
    queued: Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
) -> Result<()> {
    current.memcpy(back, &queued)?; //~ mistake
    //~ instead: let buf = stream.synchronize()?.take(queued);
    //~ instead: current.memcpy(back, &buf)?;
    Ok(())
}
