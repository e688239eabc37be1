//! Keeps a recorded point for longer than its event.

use ascendcl::event::{Order, Recorded};
use ascendcl::stream::Main;
use ascendcl::{Event, Npu, Result, Stream};

fn wrong<'e>(
    stream: &mut Stream<'_, '_, Npu<0>>,
    mut event: Event<'e, Npu<0>, Order>, //~ mistake
    //~ instead: event: &'e mut Event<'e, Npu<0>, Order>,
) -> Result<Recorded<'e, (Npu<0>, Main), Order>> {
    stream.record(&mut event) //~ mistake
    //~ instead: stream.record(event)
}
