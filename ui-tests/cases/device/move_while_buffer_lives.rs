//! Moves a device elsewhere while one of its buffers lives.

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    //~ instead: let devices = vec![device];
    let buf = thread.set_current(&device)?.malloc::<f32>(16)?; //~ mistake
    let _devices = vec![device]; //~ mistake
    //~ instead: let buf = thread.set_current(&devices[0])?.malloc::<f32>(16)?;
    buf.free()
}
