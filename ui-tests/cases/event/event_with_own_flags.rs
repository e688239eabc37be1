//! Names an event with a union of flags that nobody has checked.
#![allow(unused)]

use ascendcl::event::{Order, OrderTiming, Timing};
use ascendcl::{Event, Npu};

fn wrong(
    event: Event<'_, Npu<0>, (Order, Timing)>, //~ mistake
    //~ instead: event: Event<'_, Npu<0>, OrderTiming>,
) {
}
