//! Makes a second handle of an event, to record it on two streams.

use ascendcl::event::Order;
use ascendcl::{Current, Event, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, event: Event<'_, Npu<0>, Order>) -> Result<()> {
    let second = event.clone(); //~ mistake
    //~ instead: let second = current.create_event::<Order>()?;
    second.destroy()?;
    event.destroy()
}
