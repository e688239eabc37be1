//! Records an event on a stream of another device.

use ascendcl::event::Order;
use ascendcl::{Event, Npu, Result, Stream};

fn wrong(
    on_0: &mut Stream<'_, '_, Npu<0>>,
    event_of_0: &mut Event<'_, Npu<0>, Order>,
    event_of_1: &mut Event<'_, Npu<1>, Order>,
) -> Result<()> {
    on_0.record(event_of_1)?.synchronize()?; //~ mistake
    //~ instead: on_0.record(event_of_0)?.synchronize()?;
    Ok(())
}
