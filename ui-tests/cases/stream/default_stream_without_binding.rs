//! Takes the default stream without binding the thread to its device.

use ascendcl::{Device, Npu, Result, Thread};

fn wrong(thread: &mut Thread, device: &Device<'_, Npu<0>>) -> Result<()> {
    device.default_stream()?.synchronize()?; //~ mistake
    //~ instead: thread.set_current(device)?.default_stream()?.synchronize()?;
    Ok(())
}
