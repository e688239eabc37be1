//! Says that an event has a time stamp that was created without the flag for it.
#![allow(unused)]

use ascendcl::event::{CanTime, Order, OrderTiming};

impl CanTime for Order {} //~ mistake
//~ instead: fn takes_timing_events<C: CanTime>() {}
