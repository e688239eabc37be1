//! Allocates a length that is a type but no number.
#![allow(unused)]

use ascendcl::memory::fixed::Fixed;
use ascendcl::{Current, Npu, Result};
use typenum::U8;

enum Batch {} //~ mistake
//~ instead: type Batch = U8;

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    current.malloc_as::<Fixed<f32, Batch>>()?; //~ mistake
    //~ instead: current.malloc_as::<Fixed<f32, Batch>>()?;
    Ok(())
}
