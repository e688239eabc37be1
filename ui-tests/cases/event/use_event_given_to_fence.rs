//! Uses an event after it was given to a fence.

use ascendcl::event::Order;
use ascendcl::{Event, HostBuf, Npu, Result, Stream};

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    mut event: Event<'d, Npu<0>, Order>,
    host: HostBuf<'d, [u32]>,
) -> Result<()> {
    let fence = stream.fence(event, stream.adopt(host))?;
    //~ instead: let mut event = fence.synchronize()?.1;
    stream.record(&mut event)?.synchronize()?; //~ mistake
    drop(fence); //~ mistake
    //~ instead: stream.record(&mut event)?.synchronize()?;
    Ok(())
}
