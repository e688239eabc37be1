//! Queues work on a stream that is on no thread.

use ascendcl::{Current, Npu, ParkedStream, Result};

fn wrong<'d>(current: Current<'_, 'd, Npu<0>>, mut lane: ParkedStream<'d, Npu<0>>) -> Result<()> {
    let memory = lane.malloc::<u32>(16)?; //~ mistake
    //~ instead: let memory = lane.with(current, |stream| stream.malloc::<u32>(16).map(|fresh| fresh.unbrand()))?;
    drop(memory);
    lane.destroy(current)
}
