//! Takes memory in the hands of a branded stream out of the closure with its brand.

use ascendcl::{Current, Npu, ParkedStream, Result};

fn wrong<'d>(current: Current<'_, 'd, Npu<0>>, mut lane: ParkedStream<'d, Npu<0>>) -> Result<()> {
    let queued = lane.with(current, |stream| -> Result<_> {
        let fresh = stream.adopt(current.malloc::<u32>(16)?);
        Ok(stream.memset_async(fresh, 0)?) //~ mistake
        //~ instead: Ok(stream.memset_async(fresh, 0)?.unbrand())
    })?;
    drop(queued);
    Ok(())
}
