//! Reads the time of an event that nobody recorded.

use ascendcl::event::{Done, Timing};
use ascendcl::stream::Main;
use ascendcl::{Event, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    from: Done<'_, (Npu<0>, Main), Timing>,
    end: &mut Event<'_, Npu<0>, Timing>,
) -> Result<f32> {
    end.millis_since(&from) //~ mistake
    //~ instead: stream.record(end)?.synchronize()?.millis_since(&from)
}
