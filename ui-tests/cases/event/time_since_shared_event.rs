//! Takes the time since the record of an event that processes share.

use ascendcl::event::{Event, OrderTiming};
use ascendcl::share::{Exported, SharedEvent};
use ascendcl::{Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    shared: &mut SharedEvent<'_, Exported<Npu<0>>>,
    first: &mut Event<'_, Npu<0>, OrderTiming>,
    last: &mut Event<'_, Npu<0>, OrderTiming>,
) -> Result<f32> {
    let first = stream.record(first)?;
    shared.record(stream)?;
    let last = stream.record(last)?;
    stream.synchronize()?;
    let first = first.synchronize()?;
    last.synchronize()?.millis_since(shared) //~ mistake
    //~ instead: last.synchronize()?.millis_since(&first)
}
