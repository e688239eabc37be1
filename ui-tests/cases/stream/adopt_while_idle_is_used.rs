//! Hands a buffer to a stream while the proof that it is idle is in use.

use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Queued, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    first: Queued<'_, (Npu<0>, Main), HostBuf<'_, [u32]>>,
    second: HostBuf<'_, [u32]>,
) -> Result<()> {
    let idle = stream.synchronize()?;
    let second = stream.adopt(second); //~ mistake
    idle.take(first).free()?;
    //~ instead: let second = stream.adopt(second);
    drop(second);
    Ok(())
}
