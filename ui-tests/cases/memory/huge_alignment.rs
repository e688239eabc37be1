//! Asks for memory with an alignment above a page.

use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    current.malloc_local::<f32, 8192>(16)?; //~ mistake
    //~ instead: current.malloc_local::<f32, 4096>(16)?;
    Ok(())
}
