//! Unloads a binary twice.

use ascendcl::kernel::Binary;
use ascendcl::{Npu, Result};

fn wrong(binary: Binary<'_, '_, Npu<0>>) -> Result<()> {
    binary.unload()?;
    binary.unload()?; //~ mistake
    Ok(())
}
