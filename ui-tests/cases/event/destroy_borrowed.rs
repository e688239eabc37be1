//! Destroys an event that the function only borrowed.

use ascendcl::event::Order;
use ascendcl::{Event, Npu, Result};

fn wrong(
    event: &mut Event<'_, Npu<0>, Order>, //~ mistake
    //~ instead: event: Event<'_, Npu<0>, Order>,
) -> Result<()> {
    event.destroy() //~ mistake
    //~ instead: event.destroy()
}
