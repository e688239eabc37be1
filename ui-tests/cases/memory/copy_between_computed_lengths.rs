//! Copies twelve elements into a buffer of eight, with lengths that the compiler computed.

use ascendcl::memory::Fixed;
use ascendcl::{Current, HostBuf, Npu, Result};
use typenum::{Prod, U2, U3, U4};

type Twelve = Prod<U3, U4>;

fn wrong(current: Current<'_, '_, Npu<0>>, host: &HostBuf<'_, f32, Fixed<Twelve>>) -> Result<()> {
    current.memcpy(current.malloc_fixed::<f32, Prod<U4, U2>>()?, host)?; //~ mistake
    //~ instead: current.memcpy(current.malloc_fixed::<f32, Prod<U4, U3>>()?, host)?;
    Ok(())
}

fn main() {
    let _ = wrong;
}
