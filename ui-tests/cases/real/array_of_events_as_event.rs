//! Records the address of a table of events where one event is wanted.

use ascendcl::event::Order;
use ascendcl::{Event, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    events: &mut [Event<'_, Npu<0>, Order>; 2],
) -> Result<()> {
    stream.record(events)?; //~ mistake
    //~ instead: stream.record(&mut events[0])?;
    Ok(())
}
