//! Copies without binding the thread to the device.

use ascendcl::{Device, DeviceBuf, HostBuf, Npu, Result, Thread};

fn wrong(
    thread: &mut Thread,
    device: &Device<'_, Npu<0>>,
    to: &mut HostBuf<'_, [f32]>,
    from: &DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    device.memcpy(to, from) //~ mistake
    //~ instead: thread.set_current(device)?.memcpy(to, from)
}
