//! Resets all devices first and destroys their contexts afterwards, and looks at no result.

use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let first = acl.set_device::<Npu<0>>(thread, 0)?;
    let second = acl.set_device::<Npu<1>>(thread, 1)?;
    let on_first = first.create_context::<0>(thread)?;
    let on_second = second.create_context::<0>(thread)?;
    let _ = second.reset(); //~ mistake
    let _ = on_second.destroy(); //~ mistake
    //~ instead: on_second.destroy()?;
    //~ instead: second.reset()?;
    on_first.destroy()?;
    first.reset()
}
