//! Makes an operand of queued host memory.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, HostBuf, Npu, Queued, Result};

fn wrong(
    host: &Queued<'_, (Npu<0>, Main), HostBuf<'_, [f32]>>,
    memory: &Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [f32]>>,
) -> Result<()> {
    host.tensor(&[16])?; //~ mistake
    //~ instead: memory.tensor(&[16])?;
    Ok(())
}
