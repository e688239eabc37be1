//! Returns a device from the function that owns AscendCL.

use ascendcl::{Acl, Device, Npu, Result, Thread};

fn wrong<'acl>(thread: &mut Thread) -> Result<Device<'acl, Npu<0>>> {
    let acl = Acl::from_env()?; //~ mistake
    //~ instead: let acl = Acl::from_env()?.leak();
    acl.set_device(thread, 0) //~ mistake
    //~ instead: acl.set_device(thread, 0)
}
