//! Takes the memory of a fence with the proof for queued buffers.

use ascendcl::event::{Fence, Order};
use ascendcl::stream::{Idle, Main};
use ascendcl::{Event, HostBuf, Npu};

fn wrong(
    idle: Idle<'_, (Npu<0>, Main)>,
    fence: Fence<'_, (Npu<0>, Main), HostBuf<'_, [u32]>, Event<'_, Npu<0>, Order>>,
) -> u32 {
    idle.take(fence)[0] //~ mistake
    //~ instead: idle.take(fence.cancel().0)[0]
}
