//! Hands a buffer over with an event that streams cannot wait for.

use ascendcl::event::{OrderTiming, Timing};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Event, Npu, Queued, Result, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}

fn wrong<'d>(
    up: &mut Stream<'_, 'd, Npu<0>, Upload>,
    main: &mut Stream<'_, 'd, Npu<0>, Main>,
    timing: &mut Event<'d, Npu<0>, Timing>,
    both: &mut Event<'d, Npu<0>, OrderTiming>,
    memory: Queued<'d, (Npu<0>, Upload), DeviceBuf<'d, Npu<0>, [u32]>>,
) -> Result<()> {
    drop(up.handoff(main, timing, memory)?); //~ mistake
    //~ instead: drop(up.handoff(main, both, memory)?);
    Ok(())
}
