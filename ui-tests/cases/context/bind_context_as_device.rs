//! Binds a thread to a context by the call for devices.

use ascendcl::{Context, Ctx, Npu, Result, Thread};

fn wrong(thread: &mut Thread, context: &Context<'_, Ctx<Npu<0>, 1>>) -> Result<()> {
    let current = thread.set_current(context)?; //~ mistake
    //~ instead: let current = thread.set_current_context(context)?;
    current.synchronize_device()
}
