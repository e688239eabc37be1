//! Reads the memory of a fence before anything has waited for it.

use ascendcl::event::Order;
use ascendcl::stream::Main;
use ascendcl::{Event, HostBuf, Npu, Queued, Result, Stream};

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    event: &mut Event<'d, Npu<0>, Order>,
    back: Queued<'d, (Npu<0>, Main), HostBuf<'d, [u32]>>,
) -> Result<u32> {
    let fence = stream.fence(event, back)?;
    Ok(fence[0]) //~ mistake
    //~ instead: let (unverified, _) = fence.synchronize()?;
    //~ instead: Ok(stream.synchronize()?.verify(unverified)[0])
}
