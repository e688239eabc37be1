//! Moves AscendCL elsewhere while a device is in use.

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: Acl, thread: &mut Thread) -> Result<()> {
    //~ instead: let acl = Box::new(acl);
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let _moved = Box::new(acl); //~ mistake
    device.reset()
}
