//! Copies from host memory to media memory of a device that the thread is not bound to.

use ascendcl::{Device, DvppBuf, HostBuf, Npu, Result, Thread};

fn wrong(
    thread: &mut Thread,
    (mine, other): (&Device<'_, Npu<0>>, &Device<'_, Npu<1>>),
    to: &mut DvppBuf<'_, Npu<1>, [f32]>,
    from: &HostBuf<'_, [f32]>,
) -> Result<()> {
    thread.set_current(mine)?.memcpy(to, from)?; //~ mistake
    //~ instead: thread.set_current(other)?.memcpy(to, from)?;
    Ok(())
}
