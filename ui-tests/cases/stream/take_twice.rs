//! Takes one buffer back twice.

use ascendcl::stream::{Idle, Main};
use ascendcl::{DeviceBuf, Npu, Queued, Result};

fn wrong(
    idle: Idle<'_, (Npu<0>, Main)>,
    queued: Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
) -> Result<()> {
    idle.take(queued).free()?;
    idle.take(queued).free()?; //~ mistake
    Ok(())
}
