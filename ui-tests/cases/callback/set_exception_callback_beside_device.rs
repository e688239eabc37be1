//! Sets the function that learns of failed tasks when there is a device, whose tasks may have failed already.

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &mut Acl, thread: &mut Thread) -> Result<()> {
    //~ instead: acl.set_exception_info_callback(Some(|info| eprintln!("{info:?}")))?;
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    acl.set_exception_info_callback(Some(|info| eprintln!("{info:?}")))?; //~ mistake
    device.reset()
}
