//! Reads when an event has completed before the work in front of it is over.

use std::time::Duration;

use ascendcl::event::Timing;
use ascendcl::{Event, Npu, Result, Stream};

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, end: &mut Event<'_, Npu<0>, Timing>) -> Result<Duration> {
    stream.record(end)?.timestamp() //~ mistake
    //~ instead: stream.record(end)?.synchronize()?.timestamp()
}
