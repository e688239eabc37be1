//! Measures from an event that was recorded and not waited for.

use ascendcl::event::{Done, Recorded, Timing};
use ascendcl::stream::Main;
use ascendcl::{Npu, Result};

fn wrong(
    from: Recorded<'_, (Npu<0>, Main), Timing>,
    to: Done<'_, (Npu<0>, Main), Timing>,
) -> Result<f32> {
    to.millis_since(&from) //~ mistake
    //~ instead: to.millis_since(&from.synchronize()?)
}
