//! Records an event of an explicit context on a stream of the default one.

use ascendcl::event::{Event, Order};
use ascendcl::stream::Main;
use ascendcl::{Ctx, Npu, Result, Stream};

fn wrong(
    (default, explicit): (
        &mut Stream<'_, '_, Npu<0>, Main>,
        &mut Stream<'_, '_, Ctx<Npu<0>, 1>, Main>,
    ),
    event: &mut Event<'_, Ctx<Npu<0>, 1>, Order>,
) -> Result<()> {
    default.record(event)?; //~ mistake
    //~ instead: default.synchronize()?;
    explicit.record(event)?;
    Ok(())
}
