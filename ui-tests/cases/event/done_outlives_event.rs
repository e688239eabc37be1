//! Keeps a time stamp for longer than its event.

use ascendcl::event::{Done, Timing};
use ascendcl::stream::Main;
use ascendcl::{Event, Npu, Result, Stream};

fn wrong<'e>(
    stream: &mut Stream<'_, '_, Npu<0>>,
    mut event: Event<'e, Npu<0>, Timing>, //~ mistake
    //~ instead: event: &'e mut Event<'e, Npu<0>, Timing>,
) -> Result<Done<'e, (Npu<0>, Main), Timing>> {
    stream.record(&mut event)?.synchronize() //~ mistake
    //~ instead: stream.record(event)?.synchronize()
}
