//! Asks how much memory a device has without binding the thread to it.

use ascendcl::memory::MemAttr;
use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let info = device.mem_info(MemAttr::Hbm)?; //~ mistake
    //~ instead: let info = thread.set_current(&device)?.mem_info(MemAttr::Hbm)?;
    let _ = info;
    Ok(())
}
