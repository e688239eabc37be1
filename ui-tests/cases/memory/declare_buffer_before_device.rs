//! Declares a buffer before its device, so that the device is reset first.

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let buf; //~ mistake
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    //~ instead: let buf;
    buf = thread.set_current(&device)?.malloc::<f32>(16)?; //~ mistake
    //~ instead: buf = thread.set_current(&device)?.malloc::<f32>(16)?;
    println!("{buf:?}");
    Ok(())
}
