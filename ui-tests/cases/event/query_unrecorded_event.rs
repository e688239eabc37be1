//! Asks whether an event is complete that nobody recorded: the answer would be yes.

use ascendcl::event::{EventStatus, Order};
use ascendcl::{Event, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    event: &mut Event<'_, Npu<0>, Order>,
) -> Result<EventStatus> {
    event.query() //~ mistake
    //~ instead: stream.record(event)?.query()
}
