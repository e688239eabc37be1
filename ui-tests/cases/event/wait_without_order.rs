//! Makes a stream wait for an event that lacks the flag for it.
#![allow(unused)]

use ascendcl::event::{OrderTiming, Timing};
use ascendcl::{Event, Npu, Result, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}

fn wrong(
    up: &mut Stream<'_, '_, Npu<0>, Upload>,
    main: &mut Stream<'_, '_, Npu<0>>,
    event: &mut Event<'_, Npu<0>, Timing>, //~ mistake
    //~ instead: event: &mut Event<'_, Npu<0>, OrderTiming>,
) -> Result<()> {
    let recorded = up.record(event)?;
    main.wait(recorded) //~ mistake
    //~ instead: main.wait(recorded)
}
