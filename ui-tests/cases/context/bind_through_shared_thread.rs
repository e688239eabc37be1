//! Binds a thread that is only borrowed for reading.

use ascendcl::{Device, Npu, Result, Thread};

fn wrong(
    thread: &Thread, //~ mistake
    //~ instead: thread: &mut Thread,
    device: &Device<'_, Npu<0>>,
) -> Result<()> {
    thread.set_current(device)?.synchronize_device() //~ mistake
    //~ instead: thread.set_current(device)?.synchronize_device()
}
