//! Records an event that was destroyed.

use ascendcl::event::Order;
use ascendcl::{Event, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    mut event: Event<'_, Npu<0>, Order>,
) -> Result<()> {
    event.destroy()?; //~ mistake
    stream.record(&mut event)?.synchronize()?; //~ mistake
    //~ instead: stream.record(&mut event)?.synchronize()?;
    //~ instead: event.destroy()?;
    Ok(())
}
