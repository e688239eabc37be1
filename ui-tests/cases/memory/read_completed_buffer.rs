//! Reads a buffer after a fence without saying whether it counts that the work succeeded.

use ascendcl::queue::Completed;
use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    completed: Completed<'_, (Npu<0>, Main), HostBuf<'_, u32>>,
) -> Result<u32> {
    Ok(completed[0]) //~ mistake
    //~ instead: Ok(stream.synchronize()?.verify(completed)[0])
}

fn main() {
    let _ = wrong;
}
