//! Says that an event was recorded.
#![allow(unused)]

use ascendcl::event::{Order, Recorded};
use ascendcl::stream::Main;
use ascendcl::{Event, Npu, Result, Stream};

fn wrong<'e>(
    stream: &mut Stream<'_, '_, Npu<0>>,
    event: &'e mut Event<'_, Npu<0>, Order>,
) -> Result<Recorded<'e, (Npu<0>, Main), Order>> {
    Ok(Recorded {}) //~ mistake
    //~ instead: stream.record(event)
}
