//! Resets a device while a borrowed stream of it is in use.

use ascendcl::{Acl, Npu, Result, StreamName, Thread, sys};

enum Torch {}
impl StreamName for Torch {}

fn wrong(acl: &Acl, thread: &mut Thread, raw: sys::aclrtStream) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let current = thread.set_current(&device)?;
    // SAFETY: the other library keeps the stream.
    let mut stream = unsafe { current.borrow_raw_stream::<Torch>(raw) }?;
    device.reset()?; //~ mistake
    stream.synchronize()?;
    //~ instead: drop(stream);
    //~ instead: device.reset()?;
    Ok(())
}
