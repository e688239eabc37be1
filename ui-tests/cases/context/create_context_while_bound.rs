//! Goes on with a binding after a context was created: the new context is the thread's current one.

use ascendcl::{Device, Npu, Result, Thread};

fn wrong(thread: &mut Thread, device: &Device<'_, Npu<0>>) -> Result<()> {
    let current = thread.set_current(device)?; //~ mistake
    let context = device.create_context::<1>(thread)?;
    //~ instead: let current = thread.set_current(device)?;
    current.malloc::<f32>(16)?.free()?;
    context.destroy()
}
