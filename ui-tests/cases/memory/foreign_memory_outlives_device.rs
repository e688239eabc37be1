//! Resets a device while memory of another library on it is in use.

use ascendcl::memory::ForeignBuf;
use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread, data: *mut f32) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let current = thread.set_current(&device)?;
    // SAFETY: a tensor of 16 elements that nothing else uses.
    let tensor: ForeignBuf<'_, Npu<0>, [f32]> =
        unsafe { current.borrow_raw_memory(&(), data, 16) }?;
    device.reset()?; //~ mistake
    drop(tensor);
    //~ instead: device.reset()?;
    Ok(())
}
