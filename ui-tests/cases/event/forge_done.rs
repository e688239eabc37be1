//! Says that the work in front of an event is over.

use ascendcl::event::{Done, Recorded, Timing};
use ascendcl::stream::Main;
use ascendcl::{Npu, Result};

fn wrong<'e>(
    recorded: Recorded<'e, (Npu<0>, Main), Timing>,
) -> Result<Done<'e, (Npu<0>, Main), Timing>> {
    Ok(Done { recorded }) //~ mistake
    //~ instead: recorded.synchronize()
}
