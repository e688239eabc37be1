//! Waits for an event of another library without a promise that it was recorded.

use ascendcl::event::Order;
use ascendcl::interop::Foreign;
use ascendcl::{Event, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    event: &mut Event<'_, Npu<0>, Foreign<Order>>,
) -> Result<()> {
    stream.wait(event) //~ mistake
    //~ instead: stream.wait(unsafe { event.assume_recorded::<ascendcl::stream::Main>() })
}
