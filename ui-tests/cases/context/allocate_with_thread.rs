//! Allocates with the thread's token, which says nothing about the device.

use ascendcl::{Device, Npu, Result, Thread};

fn wrong(thread: &mut Thread, device: &Device<'_, Npu<0>>) -> Result<()> {
    thread.malloc::<f32>(16)?; //~ mistake
    //~ instead: thread.set_current(device)?.malloc::<f32>(16)?;
    Ok(())
}
