//! Records an event again while its time is still to be read.
#![allow(unused)]

use ascendcl::event::Timing;
use ascendcl::{Event, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    start: &mut Event<'_, Npu<0>, Timing>,
    end: &mut Event<'_, Npu<0>, Timing>,
) -> Result<f32> {
    let from = stream.record(start)?.synchronize()?;
    let to = stream.record(start)?.synchronize()?; //~ mistake
    //~ instead: let to = stream.record(end)?.synchronize()?;
    to.millis_since(&from)
}
