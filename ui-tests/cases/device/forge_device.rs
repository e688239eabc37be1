//! Makes a device without taking it into use.

use ascendcl::{Acl, Device, Npu, Result, Thread};

fn wrong<'acl>(acl: &'acl Acl, thread: &mut Thread) -> Result<Device<'acl, Npu<0>>> {
    Ok(Device {}) //~ mistake
    //~ instead: acl.set_device(thread, 0)
}
