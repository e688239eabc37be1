//! Asks for memory with an alignment that is no power of two.

use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    current.malloc_local::<f32, 48>(16)?; //~ mistake
    //~ instead: current.malloc_local::<f32, 64>(16)?;
    Ok(())
}
