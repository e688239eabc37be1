//! Drops a device, which resets it, while one of its buffers lives.

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let buf = thread.set_current(&device)?.malloc::<f32>(16)?;
    drop(device); //~ mistake
    buf.free()
}
