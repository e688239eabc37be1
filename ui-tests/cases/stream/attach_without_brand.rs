//! Takes a parked stream into use under a tag that other streams have too.

use ascendcl::{Current, Npu, ParkedStream, Result};

fn wrong<'d>(current: Current<'_, 'd, Npu<0>>, mut lane: ParkedStream<'d, Npu<0>>) -> Result<()> {
    current.attach(lane).synchronize()?; //~ mistake
    //~ instead: lane.with(current, |stream| stream.synchronize().map(drop))?;
    Ok(())
}
