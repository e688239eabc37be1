//! Allocates elements that generic code only knows to be `Copy`, which `bool` is too.

use ascendcl::{Current, Npu, Result};

fn wrong<T: Copy>(current: Current<'_, '_, Npu<0>>) -> Result<()> { //~ mistake
//~ instead: fn wrong<T: ascendcl::bounds::Element>(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    current.malloc::<T>(16)?; //~ mistake
    //~ instead: current.malloc::<T>(16)?;
    Ok(())
}

fn main() {
    let _ = wrong::<u8>;
}
