//! Marks the end of work with an event of another device.

use ascendcl::event::Order;
use ascendcl::stream::Main;
use ascendcl::{Event, HostBuf, Npu, Queued, Result, Stream};

fn wrong<'d>(
    on_0: &mut Stream<'_, 'd, Npu<0>>,
    event_of_0: Event<'d, Npu<0>, Order>,
    event_of_1: Event<'d, Npu<1>, Order>,
    queued: Queued<'d, (Npu<0>, Main), HostBuf<'d, [u32]>>,
) -> Result<()> {
    let fence = on_0.fence(event_of_1, queued); //~ mistake
    //~ instead: let fence = on_0.fence(event_of_0, queued);
    Ok(())
}
