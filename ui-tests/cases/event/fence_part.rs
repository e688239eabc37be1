//! Ties a part of a queued buffer to a fence.

use ascendcl::event::Order;
use ascendcl::stream::Main;
use ascendcl::{Event, HostBuf, Npu, Queued, Result, Stream};

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    event: &mut Event<'d, Npu<0>, Order>,
    queued: Queued<'d, (Npu<0>, Main), HostBuf<'d, [u32]>>,
) -> Result<()> {
    drop(stream.fence(event, queued.slice(0..4)?)?); //~ mistake
    //~ instead: drop(stream.fence(event, queued)?);
    Ok(())
}
