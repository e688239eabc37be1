//! Returns a buffer from the function that owns its device.
#![allow(unused)]

use ascendcl::{Acl, Device, DeviceBuf, Npu, Result, Thread};

fn wrong<'dev>(
    acl: &'dev Acl,
    thread: &mut Thread,
    given: &'dev Device<'_, Npu<0>>,
) -> Result<DeviceBuf<'dev, Npu<0>, [f32]>> {
    let device = acl.set_device::<Npu<0>>(thread, 1)?; //~ mistake
    let current = thread.set_current(&device)?; //~ mistake
    //~ instead: let current = thread.set_current(given)?;
    current.memset(current.malloc(16)?, 0) //~ mistake
    //~ instead: current.memset(current.malloc(16)?, 0)
}
