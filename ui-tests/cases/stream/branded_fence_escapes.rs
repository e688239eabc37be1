//! Takes a fence of a stream without a name out of the closure with its brand.

use ascendcl::event::Order;
use ascendcl::{Current, Npu, ParkedStream, Result};

fn wrong<'d>(current: Current<'_, 'd, Npu<0>>, mut lane: ParkedStream<'d, Npu<0>>) -> Result<()> {
    let fence = lane.with(current, |stream| -> Result<_> {
        let memory = stream.memset_async(stream.malloc::<u32>(16)?, 0)?;
        let event = current.create_event::<Order>()?;
        Ok(stream.fence(event, memory)?) //~ mistake
        //~ instead: Ok(stream.fence(event, memory)?.unbrand())
    })?;
    drop(fence);
    Ok(())
}
