//! Hands a buffer to a stream of another device.

use ascendcl::event::Order;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Event, Npu, Queued, Result, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}

fn wrong<'d>(
    up: &mut Stream<'_, 'd, Npu<0>, Upload>,
    main_of_0: &mut Stream<'_, 'd, Npu<0>, Main>,
    main_of_1: &mut Stream<'_, 'd, Npu<1>, Main>,
    event: &mut Event<'d, Npu<0>, Order>,
    memory: Queued<'d, (Npu<0>, Upload), DeviceBuf<'d, Npu<0>, [u32]>>,
) -> Result<()> {
    drop(up.handoff(main_of_1, event, memory)?); //~ mistake
    //~ instead: drop(up.handoff(main_of_0, event, memory)?);
    Ok(())
}
