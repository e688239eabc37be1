//! Asks for the number of an event that nobody recorded.

use ascendcl::event::Order;
use ascendcl::{Event, Npu, Result, Stream};

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, event: &mut Event<'_, Npu<0>, Order>) -> Result<u32> {
    let _ = &stream;
    event.id() //~ mistake
    //~ instead: stream.record(event)?.id()
}
