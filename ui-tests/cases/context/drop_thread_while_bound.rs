//! Gives the thread's token up while its binding is in use.

use ascendcl::{Device, Npu, Result, Thread};

fn wrong(device: &Device<'_, Npu<0>>) -> Result<()> {
    let mut thread = Thread::claim()?;
    let current = thread.set_current(device)?;
    drop(thread); //~ mistake
    current.synchronize_device()
}
