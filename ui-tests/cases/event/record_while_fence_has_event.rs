//! Records the event of a fence again before anything has waited for the fence.

use ascendcl::event::Order;
use ascendcl::{Event, HostBuf, Npu, Result, Stream};

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    event: &mut Event<'d, Npu<0>, Order>,
    host: HostBuf<'d, [u32]>,
) -> Result<()> {
    let fence = stream.fence(&mut *event, stream.adopt(host))?;
    stream.record(event)?.synchronize()?; //~ mistake
    drop(fence.synchronize()?);
    //~ instead: stream.record(event)?.synchronize()?;
    Ok(())
}
