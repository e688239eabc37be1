//! Hands a buffer over while the proof that its stream is idle is in use.

use ascendcl::event::Order;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Event, Npu, Queued, Result, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}

type Memory<'d> = Queued<'d, (Npu<0>, Upload), DeviceBuf<'d, Npu<0>, [u32]>>;

fn wrong<'d>(
    up: &mut Stream<'_, 'd, Npu<0>, Upload>,
    main: &mut Stream<'_, 'd, Npu<0>, Main>,
    event: &mut Event<'d, Npu<0>, Order>,
    first: Memory<'d>,
    second: Memory<'d>,
) -> Result<()> {
    let idle = up.synchronize()?;
    drop(up.handoff(main, event, first)?); //~ mistake
    idle.take(second).free()?;
    //~ instead: drop(up.handoff(main, event, first)?);
    Ok(())
}
