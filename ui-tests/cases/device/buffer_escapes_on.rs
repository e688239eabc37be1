//! Returns memory of a device from the closure at whose end the device is reset.

use ascendcl::{Acl, Npu, Result};

fn wrong(acl: &Acl) -> Result<()> {
    let buf = acl.on::<Npu<0>, _>(0, |current| current.malloc::<u8>(64))?; //~ mistake
    buf.free() //~ mistake
    //~ instead: acl.on::<Npu<0>, _>(0, |current| current.malloc::<u8>(64)?.free())
}
