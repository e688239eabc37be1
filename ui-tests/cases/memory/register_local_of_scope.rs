//! Registers memory of the scope's own closure, which is freed before the scope ends the registration.

use ascendcl::memory::Pages;
use ascendcl::{Current, HostSide, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, host: HostSide<'_>) -> Result<()> {
    //~ instead: let numbers = Pages::<f32>::zeroed(1024)?;
    current.scope(|scope| -> Result<()> {
        let numbers = Pages::<f32>::zeroed(1024)?; //~ mistake
        scope.lend_mapped(current, host, &numbers[..])?;
        Ok(())
    })?
}
