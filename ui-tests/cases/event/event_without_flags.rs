//! Names an event that can do nothing.
#![allow(unused)]

use ascendcl::event::Order;
use ascendcl::{Event, Npu};

fn wrong(
    event: Event<'_, Npu<0>, ()>, //~ mistake
    //~ instead: event: Event<'_, Npu<0>, Order>,
) {
}
