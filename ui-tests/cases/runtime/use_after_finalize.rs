//! Takes a device into use after AscendCL was finalised.

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: Acl, thread: &mut Thread) -> Result<()> {
    acl.finalize()?; //~ mistake
    acl.set_device::<Npu<0>>(thread, 0)?.reset()?; //~ mistake
    //~ instead: acl.set_device::<Npu<0>>(thread, 0)?.reset()?;
    //~ instead: acl.finalize()?;
    Ok(())
}
