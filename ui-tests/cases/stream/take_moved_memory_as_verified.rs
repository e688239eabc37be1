//! Reads what one stream wrote because the stream that it was handed to has succeeded.

use ascendcl::event::Order;
use ascendcl::stream::Main;
use ascendcl::{Event, HostBuf, Npu, Queued, Result, Stream, StreamName};

enum Download {}
impl StreamName for Download {}

fn wrong<'d>(
    down: &mut Stream<'_, 'd, Npu<0>, Download>,
    main: &mut Stream<'_, 'd, Npu<0>, Main>,
    event: &mut Event<'d, Npu<0>, Order>,
    written: Queued<'d, (Npu<0>, Download), HostBuf<'d, [u32]>>,
) -> Result<u32> {
    let on_main = down.handoff(main, event, written)?;
    let memory = main.synchronize()?.take(on_main);
    //~ instead: let memory = down.synchronize()?.verify(memory);
    Ok(memory[0]) //~ mistake
    //~ instead: Ok(memory[0])
}
