//! Destroys an event while a stream is still to wait for it.

use ascendcl::event::Order;
use ascendcl::{Event, Npu, Result, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}

fn wrong(
    up: &mut Stream<'_, '_, Npu<0>, Upload>,
    main: &mut Stream<'_, '_, Npu<0>>,
    mut event: Event<'_, Npu<0>, Order>,
) -> Result<()> {
    let recorded = up.record(&mut event)?;
    event.destroy()?; //~ mistake
    main.wait(recorded)?;
    //~ instead: event.destroy()?;
    Ok(())
}
