//! Reads a buffer after a fence without saying whether it counts that the work succeeded.

use ascendcl::queue::Unverified;
use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    unverified: Unverified<'_, (Npu<0>, Main), HostBuf<'_, [u32]>>,
) -> Result<u32> {
    Ok(unverified[0]) //~ mistake
    //~ instead: Ok(stream.synchronize()?.verify(unverified)[0])
}
