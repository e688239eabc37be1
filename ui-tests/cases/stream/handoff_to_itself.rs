//! Hands a buffer from a stream to the same stream.

use ascendcl::event::Order;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Event, Npu, Queued, Result, Stream};

type Memory<'d> = Queued<'d, (Npu<0>, Main), DeviceBuf<'d, Npu<0>, [u32]>>;

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>, Main>,
    event: &mut Event<'d, Npu<0>, Order>,
    memory: Memory<'d>,
) -> Result<()> {
    drop(stream.handoff(stream, event, memory)?); //~ mistake
    //~ instead: drop(stream.fence(event, memory)?.cancel());
    Ok(())
}
