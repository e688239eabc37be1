//! Allocates a buffer of zero elements.

use ascendcl::memory::fixed::Fixed;
use ascendcl::{Current, Npu, Result};
use typenum::{Diff, U4};

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    current.malloc_as::<Fixed<f32, Diff<U4, U4>>>()?; //~ mistake
    //~ instead: current.malloc_as::<Fixed<f32, U4>>()?;
    Ok(())
}
