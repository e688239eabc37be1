//! Records an event that somebody else may be waiting for.

use ascendcl::event::Order;
use ascendcl::{Event, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    event: &Event<'_, Npu<0>, Order>, //~ mistake
    //~ instead: event: &mut Event<'_, Npu<0>, Order>,
) -> Result<()> {
    stream.record(event)?.synchronize()?; //~ mistake
    //~ instead: stream.record(event)?.synchronize()?;
    Ok(())
}
