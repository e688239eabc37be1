//! Takes for granted that somebody else has recorded an event of the program.

use ascendcl::event::Order;
use ascendcl::stream::Main;
use ascendcl::{Event, Npu, Result, Stream, StreamName};

enum Second {}
impl StreamName for Second {}

fn wrong(
    first: &mut Stream<'_, '_, Npu<0>, Main>,
    second: &mut Stream<'_, '_, Npu<0>, Second>,
    event: &mut Event<'_, Npu<0>, Order>,
) -> Result<()> {
    let point = unsafe { event.assume_recorded::<Main>() }; //~ mistake
    //~ instead: let point = first.record(event)?;
    second.wait(point)
}
