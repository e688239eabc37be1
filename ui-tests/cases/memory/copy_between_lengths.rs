//! Copies eight elements into a buffer of four.

use ascendcl::{Current, HostBuf, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, eight: &HostBuf<'_, [f32; 8]>) -> Result<()> {
    current.memcpy(current.malloc_as::<[f32; 4]>()?, eight)?; //~ mistake
    //~ instead: current.memcpy(current.malloc_as::<[f32; 8]>()?, eight)?;
    Ok(())
}
