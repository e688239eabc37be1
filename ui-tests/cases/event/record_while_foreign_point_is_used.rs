//! Records a borrowed event while somebody relies on the point where its library has recorded it.

use ascendcl::event::Order;
use ascendcl::interop::Foreign;
use ascendcl::stream::Main;
use ascendcl::{Event, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    event: &mut Event<'_, Npu<0>, Foreign<Order>>,
) -> Result<()> {
    // SAFETY: the other library has recorded the event, and will not do it again.
    let point = unsafe { event.assume_recorded::<Main>() };
    stream.record(event)?; //~ mistake
    stream.wait(point)?;
    //~ instead: stream.record(event)?;
    Ok(())
}
