//! Allocates references on a device: what comes back from there is an address of nothing.

use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    current.malloc::<&'static f32>(16)?; //~ mistake
    //~ instead: current.malloc::<f32>(16)?;
    Ok(())
}
