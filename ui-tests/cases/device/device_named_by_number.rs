//! Names a device by a bare number.
#![allow(unused)]

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<0>(thread, 0)?; //~ mistake
    //~ instead: let device = acl.set_device::<Npu<0>>(thread, 0)?;
    device.reset()
}
