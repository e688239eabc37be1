//! Aborts a stream while the proof of its success is in use.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

fn wrong(
    mut stream: Stream<'_, '_, Npu<0>>,
    queued: Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
) -> Result<()> {
    let idle = stream.synchronize()?;
    stream.abort()?; //~ mistake
    idle.take(queued).free()?;
    //~ instead: stream.abort()?;
    Ok(())
}
