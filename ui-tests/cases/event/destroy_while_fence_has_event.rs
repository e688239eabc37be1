//! Destroys the event of a fence before anything has waited for the fence.

use ascendcl::event::Order;
use ascendcl::{Event, HostBuf, Npu, Result, Stream};

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    mut event: Event<'d, Npu<0>, Order>,
    host: HostBuf<'d, [u32]>,
) -> Result<()> {
    let fence = stream.fence(&mut event, stream.adopt(host))?;
    event.destroy()?; //~ mistake
    drop(fence.synchronize()?);
    //~ instead: event.destroy()?;
    Ok(())
}
