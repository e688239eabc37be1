//! Declares a device before AscendCL, so that AscendCL is finalised first.

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(thread: &mut Thread) -> Result<()> {
    let device; //~ mistake
    let acl = Acl::from_env()?;
    //~ instead: let device;
    device = acl.set_device::<Npu<0>>(thread, 0)?; //~ mistake
    //~ instead: device = acl.set_device::<Npu<0>>(thread, 0)?;
    println!("{}", device.id());
    Ok(())
}
