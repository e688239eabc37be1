//! Measures the time between events of two devices, on streams of the same name.

use ascendcl::event::{Done, Timing};
use ascendcl::stream::Main;
use ascendcl::{Npu, Result};

fn wrong(
    start_of_0: Done<'_, (Npu<0>, Main), Timing>,
    start_of_1: Done<'_, (Npu<1>, Main), Timing>,
    end_of_1: Done<'_, (Npu<1>, Main), Timing>,
) -> Result<f32> {
    end_of_1.millis_since(&start_of_0) //~ mistake
    //~ instead: end_of_1.millis_since(&start_of_1)
}
