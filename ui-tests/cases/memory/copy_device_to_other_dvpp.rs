//! Copies from device memory to the media memory of another device.

use ascendcl::{Device, DeviceBuf, DvppBuf, HostBuf, Npu, Result, Thread};

fn wrong(
    thread: &mut Thread,
    (mine, other): (&Device<'_, Npu<0>>, &Device<'_, Npu<1>>),
    to: &mut DvppBuf<'_, Npu<1>, [f32]>,
    from: &DeviceBuf<'_, Npu<0>, [f32]>,
    on_host: &mut HostBuf<'_, [f32]>,
) -> Result<()> {
    thread.set_current(mine)?.memcpy(to, from)?; //~ mistake
    //~ instead: thread.set_current(mine)?.memcpy(&mut *on_host, from)?;
    //~ instead: thread.set_current(other)?.memcpy(to, &*on_host)?;
    Ok(())
}
