//! Says that streams can wait for an event that was created without the flag for it.
#![allow(unused)]

use ascendcl::event::{CanOrder, OrderTiming, Timing};

impl CanOrder for Timing {} //~ mistake
//~ instead: fn takes_ordering_events<C: CanOrder>() {}
