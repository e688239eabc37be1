//! Goes on with a binding after the thread was bound to another device.

use ascendcl::{Device, Npu, Result, Thread};

fn wrong(thread: &mut Thread, a: &Device<'_, Npu<0>>, b: &Device<'_, Npu<1>>) -> Result<()> {
    let on_a = thread.set_current(a)?;
    let on_b = thread.set_current(b)?; //~ mistake
    on_a.malloc::<f32>(16)?;
    //~ instead: let on_b = thread.set_current(b)?;
    on_b.malloc::<f32>(16)?;
    Ok(())
}
