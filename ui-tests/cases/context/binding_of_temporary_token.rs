//! Binds a thread whose token is given up at the end of the line.

use ascendcl::{Device, Npu, Result, Thread};

fn wrong(device: &Device<'_, Npu<0>>) -> Result<()> {
    let current = Thread::claim()?.set_current(device)?; //~ mistake
    //~ instead: let mut thread = Thread::claim()?;
    //~ instead: let current = thread.set_current(device)?;
    current.synchronize_device()
}
