//! Changes what a device does on failure while memory of it is in use.

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let buf = thread.set_current(&device)?.malloc::<f32>(16)?;
    let stopping = device.stop_on_failure(); //~ mistake
    buf.free()?; //~ mistake
    //~ instead: buf.free()?;
    //~ instead: let stopping = device.stop_on_failure();
    stopping.reset()
}
