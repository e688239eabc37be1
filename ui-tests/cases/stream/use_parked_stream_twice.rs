//! Takes a parked stream into use while it is in use.

use ascendcl::{Current, Npu, ParkedStream, Result};

fn wrong<'d>(current: Current<'_, 'd, Npu<0>>, mut lane: ParkedStream<'d, Npu<0>>) -> Result<()> {
    lane.with(current, |stream| {
        lane.with(current, |stream| stream.synchronize().map(drop))?; //~ mistake
        stream.synchronize().map(drop)
    })
}
