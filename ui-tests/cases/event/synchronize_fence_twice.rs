//! Takes the memory of a fence back twice.

use ascendcl::event::{Fence, Order};
use ascendcl::stream::Main;
use ascendcl::{Event, HostBuf, Npu, Result};

fn wrong(
    fence: Fence<'_, (Npu<0>, Main), HostBuf<'_, [u32]>, Event<'_, Npu<0>, Order>>,
) -> Result<()> {
    drop(fence.synchronize()?);
    drop(fence.synchronize()?); //~ mistake
    Ok(())
}
