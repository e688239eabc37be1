//! Makes a stream wait for a borrowed event that has no flag for that.

use ascendcl::event::Progress; //~ mistake
//~ instead: use ascendcl::event::Order;
use ascendcl::interop::Foreign;
use ascendcl::stream::Main;
use ascendcl::{Event, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    event: &mut Event<'_, Npu<0>, Foreign<Progress>>, //~ mistake
    //~ instead: event: &mut Event<'_, Npu<0>, Foreign<Order>>,
) -> Result<()> {
    // SAFETY: the other library has recorded the event, and will not do it again.
    let point = unsafe { event.assume_recorded::<Main>() };
    stream.wait(point) //~ mistake
    //~ instead: stream.wait(point)
}
