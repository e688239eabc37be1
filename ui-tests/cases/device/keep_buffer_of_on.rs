//! Keeps memory of a device in a variable around the closure at whose end the device is reset.

use ascendcl::{Acl, Npu, Result};

fn wrong(acl: &Acl) -> Result<()> {
    let mut kept = Vec::new(); //~ mistake
    acl.on::<Npu<0>, _>(0, |current| {
        //~ instead: let mut kept = Vec::new();
        kept.push(current.malloc::<u8>(64)?);
        Ok(())
    })
}
