//! Uses a buffer after it was handed to another stream.

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
    let on_main = up.handoff(main, event, memory)?; //~ mistake
    up.memset_async(&mut memory, 0)?; //~ mistake
    //~ instead: up.memset_async(&mut memory, 0)?;
    //~ instead: let on_main = up.handoff(main, event, memory)?;
    main.synchronize()?.take(on_main).accept_unverified().free()
}
