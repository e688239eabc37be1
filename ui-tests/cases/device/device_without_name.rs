//! Takes a device into use without a name for it.
#![allow(unused)]

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device(thread, 0)?; //~ mistake
    //~ instead: let device = acl.set_device::<Npu<0>>(thread, 0)?;
    device.reset()
}
