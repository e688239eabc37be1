//! Frees a buffer twice.

use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    let buf = current.malloc::<f32>(16)?;
    buf.free()?;
    buf.free()?; //~ mistake
    Ok(())
}
