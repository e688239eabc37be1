//! Makes a fence of an event that was recorded before.

use ascendcl::event::Order;
use ascendcl::stream::Main;
use ascendcl::{Event, HostBuf, Npu, Queued, Result, Stream};

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    event: &mut Event<'d, Npu<0>, Order>,
    queued: Queued<'d, (Npu<0>, Main), HostBuf<'d, [u32]>>,
) -> Result<()> {
    let recorded = stream.record(event)?; //~ mistake
    let fence = stream.fence(recorded, queued); //~ mistake
    //~ instead: let fence = stream.fence(event, queued);
    Ok(())
}
