//! Hands a buffer to another stream without an event that orders the two.
#![allow(unused)]

use ascendcl::event::Order;
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, Npu, Queued, Result, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    up: &mut Stream<'_, 'd, Npu<0>, Upload>,
    main: &mut Stream<'_, 'd, Npu<0>, Main>,
    memory: Queued<'d, (Npu<0>, Upload), DeviceBuf<'d, Npu<0>, [u32]>>,
) -> Result<()> {
    //~ instead: let mut event = current.create_event::<Order>()?;
    drop(up.handoff(main, memory)?); //~ mistake
    //~ instead: drop(up.handoff(main, &mut event, memory)?);
    Ok(())
}
