//! Reads the memory of a fence as soon as the event completed, which it also does on failure.

use ascendcl::event::Order;
use ascendcl::stream::Main;
use ascendcl::{Event, HostBuf, Npu, Queued, Result, Stream};

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    event: &mut Event<'d, Npu<0>, Order>,
    back: Queued<'d, (Npu<0>, Main), HostBuf<'d, [u32]>>,
) -> Result<u32> {
    let (unverified, _) = stream.fence(event, back)?.synchronize()?;
    Ok(unverified[0]) //~ mistake
    //~ instead: Ok(stream.synchronize()?.verify(unverified)[0])
}
