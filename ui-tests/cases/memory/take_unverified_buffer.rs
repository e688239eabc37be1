//! Takes a buffer from a fence with the call for queued ones.

use ascendcl::queue::Unverified;
use ascendcl::stream::{Idle, Main};
use ascendcl::{HostBuf, Npu};

fn wrong(
    idle: Idle<'_, (Npu<0>, Main)>,
    unverified: Unverified<'_, (Npu<0>, Main), HostBuf<'_, [u32]>>,
) -> u32 {
    idle.take(unverified)[0] //~ mistake
    //~ instead: idle.verify(unverified)[0]
}
