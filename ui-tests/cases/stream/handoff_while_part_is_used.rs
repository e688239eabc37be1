//! Hands a buffer to another stream while a part of it is to be used by the old one.

use ascendcl::event::Order;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Event, Npu, Queued, Result, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}

fn wrong<'d>(
    up: &mut Stream<'_, 'd, Npu<0>, Upload>,
    main: &mut Stream<'_, 'd, Npu<0>, Main>,
    event: &mut Event<'d, Npu<0>, Order>,
    mut memory: Queued<'d, (Npu<0>, Upload), DeviceBuf<'d, Npu<0>, [u32]>>,
) -> Result<()> {
    let part = memory.slice_mut(0..16)?;
    let memory = up.handoff(main, event, memory)?; //~ mistake
    up.memset_async(part, 0)?;
    //~ instead: let memory = up.handoff(main, event, memory)?;
    main.synchronize()?.take(memory).accept_unverified().free()
}
