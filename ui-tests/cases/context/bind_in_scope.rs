//! Binds another device in a scope, which could then not wait for its own.

use ascendcl::{Device, Npu, Result, Thread};

fn wrong(
    thread: &mut Thread,
    device_0: &Device<'_, Npu<0>>,
    device_1: &Device<'_, Npu<1>>,
) -> Result<()> {
    let current = thread.set_current(device_0)?;
    current.scope(|_scope| thread.set_current(device_1).map(drop))? //~ mistake
    //~ instead: current.scope(|_scope| ())?;
    //~ instead: thread.set_current(device_1).map(drop)
}
