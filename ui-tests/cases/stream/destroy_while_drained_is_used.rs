//! Destroys a stream while the proof that it was drained is in use.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

fn wrong(
    mut stream: Stream<'_, '_, Npu<0>>,
    queued: Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
) -> Result<()> {
    let drained = stream.drain()?;
    stream.destroy()?; //~ mistake
    drained.take(queued).accept_unverified().free()?;
    //~ instead: stream.destroy()?;
    Ok(())
}
