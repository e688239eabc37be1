//! Queues work on the stream that a buffer has left.

use ascendcl::event::Order;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Event, Npu, Queued, Result, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}

fn wrong<'d>(
    up: &mut Stream<'_, 'd, Npu<0>, Upload>,
    main: &mut Stream<'_, 'd, Npu<0>, Main>,
    event: &mut Event<'d, Npu<0>, Order>,
    memory: Queued<'d, (Npu<0>, Upload), DeviceBuf<'d, Npu<0>, [u32]>>,
) -> Result<()> {
    let mut memory = up.handoff(main, event, memory)?;
    up.memset_async(&mut memory, 0)?; //~ mistake
    //~ instead: main.memset_async(&mut memory, 0)?;
    main.synchronize()?.take(memory).accept_unverified().free()
}
