//! Opens a scope without a thread that is bound to the device.

use ascendcl::{Device, Npu, Result, Thread};

fn wrong(device: &Device<'_, Npu<0>>, thread: &mut Thread) -> Result<()> {
    device.scope(|_scope| ()) //~ mistake
    //~ instead: thread.set_current(device)?.scope(|_scope| ())
}
