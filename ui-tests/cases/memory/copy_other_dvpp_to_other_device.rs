//! Copies from media memory to device memory of a device that the thread is not bound to.

use ascendcl::{Device, DeviceBuf, DvppBuf, Npu, Result, Thread};

fn wrong(
    thread: &mut Thread,
    (mine, other): (&Device<'_, Npu<0>>, &Device<'_, Npu<1>>),
    to: &mut DeviceBuf<'_, Npu<1>, [f32]>,
    from: &DvppBuf<'_, Npu<1>, [f32]>,
) -> Result<()> {
    thread.set_current(mine)?.memcpy(to, from)?; //~ mistake
    //~ instead: thread.set_current(other)?.memcpy(to, from)?;
    Ok(())
}
