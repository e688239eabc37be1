//! Fills media memory of a device that the thread is not bound to.

use ascendcl::{Device, DvppBuf, Npu, Result, Thread};

fn wrong(
    thread: &mut Thread,
    (mine, other): (&Device<'_, Npu<0>>, &Device<'_, Npu<1>>),
    buf: &mut DvppBuf<'_, Npu<1>, [u8]>,
) -> Result<()> {
    thread.set_current(mine)?.memset(buf, 0)?; //~ mistake
    //~ instead: thread.set_current(other)?.memset(buf, 0)?;
    Ok(())
}
