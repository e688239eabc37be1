//! Uses the memory of a fence on the other stream before that stream waits.

use ascendcl::event::{Fence, Order};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Event, HostBuf, Npu, Queued, Result, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}

type Memory<'d> = DeviceBuf<'d, Npu<0>, [u32]>;

fn wrong<'d>(
    main: &mut Stream<'_, 'd, Npu<0>, Main>,
    back: &mut Queued<'d, (Npu<0>, Main), HostBuf<'d, [u32]>>,
    fence: Fence<'d, (Npu<0>, Upload), Memory<'d>, Event<'d, Npu<0>, Order>>,
) -> Result<()> {
    main.memcpy_async(back, &fence)?; //~ mistake
    //~ instead: let (memory, _) = main.wait_fence(fence)?;
    //~ instead: main.memcpy_async(back, &memory)?;
    Ok(())
}
