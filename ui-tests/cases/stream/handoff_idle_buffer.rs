//! Hands a buffer over that was not handed to any stream.

use ascendcl::event::Order;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Event, Npu, Result, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}

fn wrong<'d>(
    up: &mut Stream<'_, 'd, Npu<0>, Upload>,
    main: &mut Stream<'_, 'd, Npu<0>, Main>,
    event: &mut Event<'d, Npu<0>, Order>,
    buf: DeviceBuf<'d, Npu<0>, [u32]>,
) -> Result<()> {
    drop(up.handoff(main, event, buf)?); //~ mistake
    //~ instead: drop(up.handoff(main, event, up.adopt(buf))?);
    Ok(())
}
