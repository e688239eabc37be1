//! Fills device memory of a device that the thread is not bound to.

use ascendcl::{Device, DeviceBuf, Npu, Result, Thread};

fn wrong(
    thread: &mut Thread,
    (mine, other): (&Device<'_, Npu<0>>, &Device<'_, Npu<1>>),
    buf: &mut DeviceBuf<'_, Npu<1>, [f32]>,
) -> Result<()> {
    thread.set_current(mine)?.memset(buf, 0)?; //~ mistake
    //~ instead: thread.set_current(other)?.memset(buf, 0)?;
    Ok(())
}
