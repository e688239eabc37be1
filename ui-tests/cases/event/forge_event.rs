//! Makes an event from a raw handle.
#![allow(unused)]

use ascendcl::event::Order;
use ascendcl::{Current, Event, Npu, Result};

fn wrong<'d>(current: Current<'_, 'd, Npu<0>>) -> Result<Event<'d, Npu<0>, Order>> {
    Ok(Event {}) //~ mistake
    //~ instead: current.create_event()
}
