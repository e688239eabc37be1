//! Allocates host memory for zero elements.

use ascendcl::memory::fixed::Fixed;
use ascendcl::{Current, HostSide, Npu, Result};
use typenum::{Diff, U4};

fn wrong(current: Current<'_, '_, Npu<0>>, host: HostSide<'_>) -> Result<()> {
    current.malloc_host_as::<Fixed<f32, Diff<U4, U4>>>(host)?; //~ mistake
    //~ instead: current.malloc_host_as::<Fixed<f32, U4>>(host)?;
    Ok(())
}
