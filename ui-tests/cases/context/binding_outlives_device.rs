//! Returns a binding from the function that owns the device.
#![allow(unused)]

use ascendcl::{Acl, Current, Device, Npu, Result, Thread};

fn wrong<'t>(
    acl: &'t Acl,
    thread: &'t mut Thread,
    given: &'t Device<'_, Npu<0>>,
) -> Result<Current<'t, 't, Npu<0>>> {
    let device = acl.set_device::<Npu<0>>(thread, 1)?;
    thread.set_current(&device) //~ mistake
    //~ instead: thread.set_current(given)
}
