//! Relies on a record of another library without a promise that there was one.

use ascendcl::event::Order;
use ascendcl::interop::Foreign;
use ascendcl::stream::Main;
use ascendcl::{Event, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    event: &mut Event<'_, Npu<0>, Foreign<Order>>,
) -> Result<()> {
    let point = event.assume_recorded::<Main>(); //~ mistake
    //~ instead: let point = unsafe { event.assume_recorded::<Main>() };
    stream.wait(point)
}
