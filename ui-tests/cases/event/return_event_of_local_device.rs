//! Returns an event of a device that is reset at the end of the function.

use ascendcl::event::Order;
use ascendcl::{Current, Device, Event, Npu, Result, Thread};

type D = Npu<0>;

fn wrong<'d>(
    device: Device<'d, D>, //~ mistake
    //~ instead: device: &'d Device<'d, D>,
    thread: &mut Thread,
) -> Result<Event<'d, D, Order>> {
    let current: Current<'_, '_, D> = thread.set_current(&device)?; //~ mistake
    //~ instead: let current: Current<'_, '_, D> = thread.set_current(device)?;
    current.create_event() //~ mistake
    //~ instead: current.create_event()
}
