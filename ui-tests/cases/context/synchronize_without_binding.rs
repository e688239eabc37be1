//! Waits for a device without binding the thread to it.

use ascendcl::{Device, Npu, Result, Thread};

fn wrong(thread: &mut Thread, device: &Device<'_, Npu<0>>) -> Result<()> {
    device.synchronize_device() //~ mistake
    //~ instead: thread.set_current(device)?.synchronize_device()
}
