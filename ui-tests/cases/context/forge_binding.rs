//! Makes a binding without binding the thread.

use ascendcl::{Current, Device, Npu, Result, Thread};

fn wrong<'t>(
    thread: &'t mut Thread,
    device: &'t Device<'_, Npu<0>>,
) -> Result<Current<'t, 't, Npu<0>>> {
    Ok(Current {}) //~ mistake
    //~ instead: thread.set_current(device)
}
