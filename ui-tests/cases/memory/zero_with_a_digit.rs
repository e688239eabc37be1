//! Allocates zero elements, written with a digit, which `typenum` takes for a number that is not zero.

use ascendcl::memory::fixed::Fixed;
use ascendcl::{Current, Npu, Result};
use typenum::{B0, B1, UInt, UTerm};

type Len = UInt<UTerm, B0>; //~ mistake
//~ instead: type Len = UInt<UTerm, B1>;

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    current.malloc_as::<Fixed<f32, Len>>()?; //~ mistake
    //~ instead: current.malloc_as::<Fixed<f32, Len>>()?;
    Ok(())
}

fn main() {
    let _ = wrong;
    let _: Option<B1> = None;
}
