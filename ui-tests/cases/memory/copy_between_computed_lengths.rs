//! Copies twelve elements into a buffer of eight, with lengths that the compiler computed.

use ascendcl::memory::fixed::Fixed;
use ascendcl::{Current, HostBuf, Npu, Result};
use typenum::{Prod, U2, U3, U4};

type Twelve = Prod<U3, U4>;

fn wrong(current: Current<'_, '_, Npu<0>>, host: &HostBuf<'_, Fixed<f32, Twelve>>) -> Result<()> {
    current.memcpy(current.malloc_as::<Fixed<f32, Prod<U4, U2>>>()?, host)?; //~ mistake
    //~ instead: current.memcpy(current.malloc_as::<Fixed<f32, Prod<U4, U3>>>()?, host)?;
    Ok(())
}
