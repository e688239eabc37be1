//! Resets a device while a thread serves its streams.

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let mut reports = thread.set_current(&device)?.report_thread();
    device.reset()?; //~ mistake
    reports.process_report(None)?;
    //~ instead: device.reset()?;
    Ok(())
}
