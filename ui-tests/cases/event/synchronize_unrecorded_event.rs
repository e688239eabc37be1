//! Waits on the host for an event that nobody recorded.

use ascendcl::event::Progress;
use ascendcl::{Event, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    event: &mut Event<'_, Npu<0>, Progress>,
) -> Result<()> {
    event.synchronize()?; //~ mistake
    //~ instead: stream.record(event)?.synchronize()?;
    Ok(())
}
