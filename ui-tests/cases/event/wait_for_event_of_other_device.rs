//! Makes a stream wait for an event that was recorded on another device.

use ascendcl::event::Order;
use ascendcl::{Event, Npu, Result, Stream};

fn wrong(
    on_0: &mut Stream<'_, '_, Npu<0>>,
    on_1: &mut Stream<'_, '_, Npu<1>>,
    event_of_1: &mut Event<'_, Npu<1>, Order>,
) -> Result<()> {
    let recorded = on_1.record(event_of_1)?;
    on_0.wait(recorded) //~ mistake
    //~ instead: recorded.synchronize().map(drop)
}
