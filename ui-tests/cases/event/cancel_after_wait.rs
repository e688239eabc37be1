//! Takes memory back to its old stream after another stream has got it.

use ascendcl::event::{Fence, Order};
use ascendcl::stream::Main;
use ascendcl::{Event, HostBuf, Npu, Result, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}

fn wrong<'d>(
    main: &mut Stream<'_, 'd, Npu<0>, Main>,
    fence: Fence<'d, (Npu<0>, Upload), HostBuf<'d, [u32]>, Event<'d, Npu<0>, Order>>,
) -> Result<()> {
    drop(main.wait_fence(fence)?);
    drop(fence.cancel()); //~ mistake
    Ok(())
}
