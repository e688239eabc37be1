//! Allocates truth values on the host, which a copy could fill with any byte.

use ascendcl::{Current, HostSide, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, host: HostSide<'_>) -> Result<()> {
    current.malloc_host::<bool>(host, 16)?; //~ mistake
    //~ instead: current.malloc_host::<u8>(host, 16)?;
    Ok(())
}
