//! Replaces AscendCL, which finalises the old one, while a device is in use.

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(mut acl: Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    acl = Acl::from_env()?; //~ mistake
    device.reset()?;
    //~ instead: acl.finalize()?;
    //~ instead: acl = Acl::from_env()?;
    acl.finalize()
}
