//! Uses a buffer after it was tied to a fence.

use ascendcl::event::Order;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Event, Npu, Queued, Result, Stream};

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    event: &mut Event<'d, Npu<0>, Order>,
    mut memory: Queued<'d, (Npu<0>, Main), DeviceBuf<'d, Npu<0>, [u32]>>,
) -> Result<()> {
    let fence = stream.fence(event, memory)?;
    //~ instead: let (mut memory, _) = fence.cancel();
    stream.memset_async(&mut memory, 0)?; //~ mistake
    drop(fence.synchronize()?); //~ mistake
    //~ instead: stream.memset_async(&mut memory, 0)?;
    Ok(())
}
