//! Copies to memory that a stream may be reading, with a call that waits for no stream.

use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Queued, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    stream: &mut Stream<'_, '_, Npu<0>>,
    host: &HostBuf<'_, [u32]>,
    mut queued: Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
) -> Result<()> {
    current.memcpy(&mut queued, host)?; //~ mistake
    //~ instead: let mut buf = stream.synchronize()?.take(queued);
    //~ instead: current.memcpy(&mut buf, host)?;
    Ok(())
}
