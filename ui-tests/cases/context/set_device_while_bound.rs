//! Takes a second device into use, which makes it current, while the first is bound.

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let first = acl.set_device::<Npu<0>>(thread, 0)?;
    //~ instead: let second = acl.set_device::<Npu<1>>(thread, 1)?;
    let current = thread.set_current(&first)?;
    let second = acl.set_device::<Npu<1>>(thread, 1)?; //~ mistake
    current.synchronize_device()?;
    second.reset()
}
