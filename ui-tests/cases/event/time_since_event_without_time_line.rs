//! Measures from an event that lacks the flag for times.
#![allow(unused)]

use ascendcl::event::{Done, Order, OrderTiming, Timing};
use ascendcl::stream::Main;
use ascendcl::{Npu, Result};

fn wrong(
    from: Done<'_, (Npu<0>, Main), Order>, //~ mistake
    //~ instead: from: Done<'_, (Npu<0>, Main), OrderTiming>,
    to: Done<'_, (Npu<0>, Main), Timing>,
) -> Result<f32> {
    to.millis_since(&from) //~ mistake
    //~ instead: to.millis_since(&from)
}
