//! Ties a buffer to a fence that was not handed to any stream.

use ascendcl::event::Order;
use ascendcl::{Event, HostBuf, Npu, Result, Stream};

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    event: &mut Event<'d, Npu<0>, Order>,
    host: HostBuf<'d, [u32]>,
) -> Result<()> {
    drop(stream.fence(event, host)?); //~ mistake
    //~ instead: drop(stream.fence(event, stream.adopt(host))?);
    Ok(())
}
