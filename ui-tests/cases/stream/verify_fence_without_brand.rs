//! Verifies memory behind a fence that has no brand: a wait for another stream would do as well.

use ascendcl::event::{Event, Fence, OrderProgress};
use ascendcl::stream::Numbered;
use ascendcl::{Current, DeviceBuf, Npu, ParkedStream, Result};

type Memory<'d> = DeviceBuf<'d, Npu<0>, [u32]>;
type Marked<'d> = Fence<'d, (Npu<0>, Numbered), Memory<'d>, Event<'d, Npu<0>, OrderProgress>>;

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    mut lane: ParkedStream<'d, Npu<0>>,
    fence: Marked<'d>,
) -> Result<()> {
    lane.with(current, |stream| {
        //~ instead: let fence = stream.rebrand_fence(fence)?;
        let (unverified, _event) = fence.synchronize()?;
        stream.synchronize()?.verify(unverified).free() //~ mistake
        //~ instead: stream.synchronize()?.verify(unverified).free()
    })
}
