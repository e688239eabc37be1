//! Reads the time of an event that has none.

use std::time::Duration;

use ascendcl::event::{Done, Order, OrderTiming};
use ascendcl::stream::Main;
use ascendcl::{Npu, Result};

fn wrong(
    order: Done<'_, (Npu<0>, Main), Order>,
    timing: Done<'_, (Npu<0>, Main), OrderTiming>,
) -> Result<Duration> {
    let _ = (&order, &timing);
    order.timestamp() //~ mistake
    //~ instead: timing.timestamp()
}
