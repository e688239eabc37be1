//! Makes a stream wait for an event that nobody recorded.

use ascendcl::event::Order;
use ascendcl::{Event, Npu, Result, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}

fn wrong(
    up: &mut Stream<'_, '_, Npu<0>, Upload>,
    main: &mut Stream<'_, '_, Npu<0>>,
    event: &mut Event<'_, Npu<0>, Order>,
) -> Result<()> {
    main.wait(event) //~ mistake
    //~ instead: main.wait(up.record(event)?)
}
