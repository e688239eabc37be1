//! Moves a queued buffer to another stream without an event.
#![allow(unused)]

use ascendcl::event::Order;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Event, Npu, Queued, Result, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}

fn wrong<'d>(
    main: &mut Stream<'_, 'd, Npu<0>, Main>,
    up: &mut Stream<'_, 'd, Npu<0>, Upload>,
    event: &mut Event<'d, Npu<0>, Order>,
    queued: Queued<'d, (Npu<0>, Main), DeviceBuf<'d, Npu<0>, [u32]>>,
) -> Result<()> {
    let queued = up.adopt(queued); //~ mistake
    //~ instead: let queued = main.handoff(up, event, queued)?;
    Ok(())
}
