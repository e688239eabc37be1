//! Reads a time before the work in front of the event is over.

use ascendcl::event::{Done, Timing};
use ascendcl::stream::Main;
use ascendcl::{Event, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    from: Done<'_, (Npu<0>, Main), Timing>,
    end: &mut Event<'_, Npu<0>, Timing>,
) -> Result<f32> {
    stream.record(end)?.millis_since(&from) //~ mistake
    //~ instead: stream.record(end)?.synchronize()?.millis_since(&from)
}
