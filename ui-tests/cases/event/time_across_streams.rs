//! Measures the time between events of two streams.

use ascendcl::event::Timing;
use ascendcl::{Event, Npu, Result, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}

fn wrong(
    up: &mut Stream<'_, '_, Npu<0>, Upload>,
    main: &mut Stream<'_, '_, Npu<0>>,
    start: &mut Event<'_, Npu<0>, Timing>,
    end: &mut Event<'_, Npu<0>, Timing>,
) -> Result<f32> {
    let from = up.record(start)?.synchronize()?; //~ mistake
    //~ instead: let from = main.record(start)?.synchronize()?;
    let to = main.record(end)?.synchronize()?;
    to.millis_since(&from) //~ mistake
    //~ instead: to.millis_since(&from)
}
