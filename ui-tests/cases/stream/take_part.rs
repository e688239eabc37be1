//! Takes a part of a queued buffer back.

use ascendcl::stream::{Idle, Main};
use ascendcl::{HostBuf, Npu, Queued, Result};

fn wrong(
    idle: Idle<'_, (Npu<0>, Main)>,
    queued: Queued<'_, (Npu<0>, Main), HostBuf<'_, [u32]>>,
) -> Result<u32> {
    Ok(idle.take(queued.slice(0..4)?)[0]) //~ mistake
    //~ instead: Ok(idle.take(queued)[0])
}
