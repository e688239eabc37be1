//! Reads a host buffer while it is in the hands of a stream.

use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Queued, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    back: Queued<'_, (Npu<0>, Main), HostBuf<'_, [u32]>>,
) -> Result<u32> {
    Ok(back[0]) //~ mistake
    //~ instead: Ok(stream.synchronize()?.take(back)[0])
}
