//! Accepts a buffer as written because its stream was drained, whether it succeeded or not.

use ascendcl::queue::Unverified;
use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Result, Stream};

fn wrong<'d>(
    stream: &mut Stream<'_, '_, Npu<0>>,
    unverified: Unverified<'d, (Npu<0>, Main), HostBuf<'d, [u32]>>,
) -> Result<HostBuf<'d, [u32]>> {
    Ok(stream.drain()?.verify(unverified)) //~ mistake
    //~ instead: Ok(stream.synchronize()?.verify(unverified))
}
