//! Reads memory on one stream that another stream may be writing.

use ascendcl::event::Order;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Event, HostBuf, Npu, Queued, Result, Stream, StreamName};

enum Download {}
impl StreamName for Download {}

fn wrong<'d>(
    main: &mut Stream<'_, 'd, Npu<0>, Main>,
    down: &mut Stream<'_, 'd, Npu<0>, Download>,
    event: &mut Event<'d, Npu<0>, Order>,
    on_main: Queued<'d, (Npu<0>, Main), DeviceBuf<'d, Npu<0>, [u32]>>,
    back: &mut Queued<'d, (Npu<0>, Download), HostBuf<'d, [u32]>>,
) -> Result<()> {
    //~ instead: let on_down = main.handoff(down, event, on_main)?;
    down.memcpy_async(back, &on_main)?; //~ mistake
    //~ instead: down.memcpy_async(back, &on_down)?;
    Ok(())
}
