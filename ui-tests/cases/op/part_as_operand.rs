//! Makes an operand of a part of a queued buffer, which may not begin where operators need it.

use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result};

fn wrong(memory: &Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [f32]>>) -> Result<()> {
    memory.slice(0..16)?.tensor(&[16])?; //~ mistake
    //~ instead: memory.tensor(&[16])?;
    Ok(())
}

fn main() {
    let _ = wrong;
}
