//! Takes a buffer from a fence with the call for queued ones.

use ascendcl::queue::Completed;
use ascendcl::stream::{Idle, Main};
use ascendcl::{HostBuf, Npu};

fn wrong(
    idle: Idle<'_, (Npu<0>, Main)>,
    completed: Completed<'_, (Npu<0>, Main), HostBuf<'_, u32>>,
) -> u32 {
    idle.take(completed)[0] //~ mistake
    //~ instead: idle.verify(completed)[0]
}

fn main() {
    let _ = wrong;
}
