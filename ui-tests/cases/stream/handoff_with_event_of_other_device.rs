//! Hands a buffer over with an event of another device.

use ascendcl::event::Order;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Event, Npu, Queued, Result, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}

fn wrong<'d>(
    up: &mut Stream<'_, 'd, Npu<0>, Upload>,
    main: &mut Stream<'_, 'd, Npu<0>, Main>,
    event_of_0: &mut Event<'d, Npu<0>, Order>,
    event_of_1: &mut Event<'d, Npu<1>, Order>,
    memory: Queued<'d, (Npu<0>, Upload), DeviceBuf<'d, Npu<0>, [u32]>>,
) -> Result<()> {
    drop(up.handoff(main, event_of_1, memory)?); //~ mistake
    //~ instead: drop(up.handoff(main, event_of_0, memory)?);
    Ok(())
}
