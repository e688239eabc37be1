//! Allocates truth values, which must not hold any byte: a copy or a fill would write it.

use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    current.malloc::<bool>(16)?; //~ mistake
    //~ instead: current.malloc::<u8>(16)?;
    Ok(())
}
