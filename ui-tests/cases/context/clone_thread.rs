//! Clones the token of a thread, which could then be bound twice at once.

use ascendcl::{Device, Npu, Result, Thread};

fn wrong(mut thread: Thread, device: &Device<'_, Npu<0>>) -> Result<()> {
    let mut other = thread.clone(); //~ mistake
    other.set_current(device)?.synchronize_device() //~ mistake
    //~ instead: thread.set_current(device)?.synchronize_device()
}
