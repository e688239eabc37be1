//! Reads a time from an event that lacks the flag for it.
#![allow(unused)]

use ascendcl::event::{Done, Order, OrderTiming, Timing};
use ascendcl::stream::Main;
use ascendcl::{Npu, Result};

fn wrong(
    from: Done<'_, (Npu<0>, Main), Timing>,
    to: Done<'_, (Npu<0>, Main), Order>, //~ mistake
    //~ instead: to: Done<'_, (Npu<0>, Main), OrderTiming>,
) -> Result<f32> {
    to.millis_since(&from) //~ mistake
    //~ instead: to.millis_since(&from)
}
