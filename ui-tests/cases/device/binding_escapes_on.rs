//! Takes the binding out of the closure at whose end the device is reset.

use ascendcl::{Acl, Npu, Result};

fn wrong(acl: &Acl) -> Result<()> {
    let current = acl.on::<Npu<0>, _>(0, |current| Ok(current))?; //~ mistake
    current.malloc::<u8>(64)?.free() //~ mistake
    //~ instead: acl.on::<Npu<0>, _>(0, |current| current.malloc::<u8>(64)?.free())
}
