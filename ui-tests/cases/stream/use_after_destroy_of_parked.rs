//! Takes a parked stream into use after it was destroyed.

use ascendcl::{Current, Npu, ParkedStream, Result};

fn wrong<'d>(current: Current<'_, 'd, Npu<0>>, mut lane: ParkedStream<'d, Npu<0>>) -> Result<()> {
    lane.destroy(current)?; //~ mistake
    lane.with(current, |stream| stream.synchronize().map(drop))?; //~ mistake
    //~ instead: lane.with(current, |stream| stream.synchronize().map(drop))?;
    //~ instead: lane.destroy(current)?;
    Ok(())
}
