//! Frees memory of Rust while it is registered.

use ascendcl::memory::Pages;
use ascendcl::{Current, HostSide, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, host: HostSide<'_>) -> Result<()> {
    let mut numbers = Pages::<f32>::zeroed(1024)?;
    current.scope(|scope| -> Result<()> {
        let lent = scope.lend_pinned(current, host, &mut numbers[..])?;
        std::mem::forget(lent);
        drop(numbers); //~ mistake
        Ok(())
    })??;
    //~ instead: drop(numbers);
    Ok(())
}
