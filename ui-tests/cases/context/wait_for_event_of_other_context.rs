//! Waits for an event of another context of the same device: the wait would return at once.

use ascendcl::event::{Event, Order};
use ascendcl::stream::Main;
use ascendcl::{Ctx, Npu, Result, Stream};

fn wrong(
    (first, second): (
        &mut Stream<'_, '_, Ctx<Npu<0>, 1>, Main>,
        &mut Stream<'_, '_, Ctx<Npu<0>, 2>, Main>,
    ),
    event: &mut Event<'_, Ctx<Npu<0>, 1>, Order>,
) -> Result<()> {
    let recorded = first.record(event)?;
    second.wait(recorded)?; //~ mistake
    //~ instead: second.synchronize()?;
    first.wait(recorded)
}
