//! Passes the binding to one device where the binding to another is wanted.

use ascendcl::{Current, Device, Npu, Result, Thread};

fn train(_: Current<'_, '_, Npu<0>>) {}

fn wrong(thread: &mut Thread, a: &Device<'_, Npu<0>>, b: &Device<'_, Npu<1>>) -> Result<()> {
    train(thread.set_current(b)?); //~ mistake
    //~ instead: train(thread.set_current(a)?);
    Ok(())
}
