//! Resets a device before a buffer is freed at the end of its scope.

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let current = thread.set_current(&device)?;
    let buf = current.malloc::<f32>(16)?;
    let _written = current.memset(buf, 0)?;
    //~ instead: drop(_written);
    device.reset() //~ mistake
    //~ instead: device.reset()
}
