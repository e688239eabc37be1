//! Hands a buffer over from a stream that does not have it.

use ascendcl::event::Order;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Event, Npu, Queued, Result, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}

fn wrong<'d>(
    up: &mut Stream<'_, 'd, Npu<0>, Upload>,
    main: &mut Stream<'_, 'd, Npu<0>, Main>,
    event: &mut Event<'d, Npu<0>, Order>,
    on_main: Queued<'d, (Npu<0>, Main), DeviceBuf<'d, Npu<0>, [u32]>>,
) -> Result<()> {
    drop(up.handoff(main, event, on_main)?); //~ mistake
    //~ instead: drop(main.handoff(up, event, on_main)?);
    Ok(())
}
