//! Makes an operand of queued media memory.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, DvppBuf, Npu, Queued, Result};

fn wrong(
    media: &Queued<'_, (Npu<0>, Main), DvppBuf<'_, Npu<0>, [f32]>>,
    memory: &Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [f32]>>,
) -> Result<()> {
    media.tensor(&[16])?; //~ mistake
    //~ instead: memory.tensor(&[16])?;
    Ok(())
}
