//! Returns a binding from the function that owns the thread's token.
#![allow(unused)]

use ascendcl::{Current, Device, Npu, Result, Thread};

fn wrong<'t>(
    token: &'t mut Thread,
    device: &'t Device<'_, Npu<0>>,
) -> Result<Current<'t, 't, Npu<0>>> {
    let mut thread = Thread::claim()?; //~ mistake
    thread.set_current(device) //~ mistake
    //~ instead: token.set_current(device)
}
