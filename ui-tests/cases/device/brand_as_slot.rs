//! Takes a device into use under a brand of the caller's own.

use ascendcl::{Acl, Brand, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Brand<'static>>(thread, 0)?; //~ mistake
    //~ instead: let device = acl.set_device::<Npu<0>>(thread, 0)?;
    device.reset()
}

fn main() {
    let _ = wrong;
    let _: Option<Npu<0>> = None;
}
