//! Records an event again while a stream is still to wait for the first record.

use ascendcl::event::Order;
use ascendcl::{Event, Npu, Result, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}

fn wrong(
    up: &mut Stream<'_, '_, Npu<0>, Upload>,
    main: &mut Stream<'_, '_, Npu<0>>,
    event: &mut Event<'_, Npu<0>, Order>,
) -> Result<()> {
    let first = up.record(event)?;
    let second = up.record(event)?; //~ mistake
    main.wait(first)?;
    //~ instead: let second = up.record(event)?;
    main.wait(second)
}
