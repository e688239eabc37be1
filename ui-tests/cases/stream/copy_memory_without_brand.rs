//! Copies memory that was taken out of a closure, without a comparison of its stream with this one.

use ascendcl::stream::Numbered;
use ascendcl::{Current, DeviceBuf, Npu, ParkedStream, Queued, Result};

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    mut lane: ParkedStream<'d, Npu<0>>,
    memory: Queued<'d, (Npu<0>, Numbered), DeviceBuf<'d, Npu<0>, [u32]>>,
) -> Result<()> {
    lane.with(current, |stream| {
        //~ instead: let memory = stream.rebrand(memory)?;
        let copy = stream.memcpy_async(stream.malloc(16)?, &memory)?; //~ mistake
        //~ instead: let copy = stream.memcpy_async(stream.malloc(16)?, &memory)?;
        drop(copy);
        Ok(())
    })
}
