//! Takes a device into use for a closure without a name for it.

use ascendcl::{Acl, Npu, Result};

fn wrong(acl: &Acl) -> Result<()> {
    acl.on(0, |current| current.malloc::<u8>(64)?.free()) //~ mistake
    //~ instead: acl.on::<Npu<0>, _>(0, |current| current.malloc::<u8>(64)?.free())
}

fn main() {
    let _ = wrong;
    let _ = Npu::<0>;
}
