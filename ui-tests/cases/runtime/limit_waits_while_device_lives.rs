//! Limits the waits on the device while streams may hand memory to each other by such waits.

use std::time::Duration;

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &mut Acl, thread: &mut Thread) -> Result<()> {
    //~ instead: acl.set_op_wait_timeout(Some(Duration::from_secs(60)))?;
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    acl.set_op_wait_timeout(Some(Duration::from_secs(60)))?; //~ mistake
    device.reset()
}
