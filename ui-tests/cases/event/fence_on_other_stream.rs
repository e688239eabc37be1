//! Marks the end of work on another stream than the one that has the memory.

use ascendcl::event::Order;
use ascendcl::stream::Main;
use ascendcl::{Event, HostBuf, Npu, Queued, Result, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}

fn wrong<'d>(
    up: &mut Stream<'_, 'd, Npu<0>, Upload>,
    main: &mut Stream<'_, 'd, Npu<0>, Main>,
    event: &mut Event<'d, Npu<0>, Order>,
    on_up: Queued<'d, (Npu<0>, Upload), HostBuf<'d, [u32]>>,
) -> Result<()> {
    drop(main.fence(event, on_up)?); //~ mistake
    //~ instead: drop(up.fence(event, on_up)?);
    Ok(())
}
