//! Writes memory on one stream that another stream may be reading.

use ascendcl::event::Order;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Event, HostBuf, Npu, Queued, Result, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}

fn wrong<'d>(
    main: &mut Stream<'_, 'd, Npu<0>, Main>,
    up: &mut Stream<'_, 'd, Npu<0>, Upload>,
    event: &mut Event<'d, Npu<0>, Order>,
    mut on_main: Queued<'d, (Npu<0>, Main), DeviceBuf<'d, Npu<0>, [u32]>>,
    source: &Queued<'d, (Npu<0>, Upload), HostBuf<'d, [u32]>>,
) -> Result<()> {
    //~ instead: let mut on_up = main.handoff(up, event, on_main)?;
    up.memcpy_async(&mut on_main, source)?; //~ mistake
    //~ instead: up.memcpy_async(&mut on_up, source)?;
    Ok(())
}
