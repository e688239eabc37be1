//! Queues work on memory that was taken out of a closure, without a look whether this stream has it.

use ascendcl::stream::Numbered;
use ascendcl::{Current, DeviceBuf, Npu, ParkedStream, Queued, Result};

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    mut lane: ParkedStream<'d, Npu<0>>,
    memory: Queued<'d, (Npu<0>, Numbered), DeviceBuf<'d, Npu<0>, [u32]>>,
) -> Result<()> {
    lane.with(current, |stream| {
        stream.synchronize()?.take(memory).free() //~ mistake
        //~ instead: let memory = stream.rebrand(memory)?;
        //~ instead: stream.synchronize()?.take(memory).free()
    })
}
