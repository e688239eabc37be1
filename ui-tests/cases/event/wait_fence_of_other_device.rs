//! Takes host memory over from a stream of another device.

use ascendcl::event::{Fence, Order};
use ascendcl::stream::Main;
use ascendcl::{Event, HostBuf, Npu, Result, Stream};

type Handed<'d> = Fence<'d, (Npu<1>, Main), HostBuf<'d, [u32]>, Event<'d, Npu<1>, Order>>;

fn wrong<'d>(on_0: &mut Stream<'_, 'd, Npu<0>>, fence: Handed<'d>) -> Result<()> {
    drop(on_0.wait_fence(fence)?); //~ mistake
    //~ instead: drop(on_0.adopt(fence.synchronize()?.0.accept_unverified()));
    Ok(())
}
