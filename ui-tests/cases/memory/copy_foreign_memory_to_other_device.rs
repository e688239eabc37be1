//! Copies borrowed memory while the thread is bound to another device.

use ascendcl::memory::ForeignBuf;
use ascendcl::{Device, HostBuf, Npu, Result, Thread};

fn wrong(
    thread: &mut Thread,
    (mine, other): (&Device<'_, Npu<0>>, &Device<'_, Npu<1>>),
    host: &mut HostBuf<'_, [f32]>,
    tensor: &ForeignBuf<'_, Npu<0>, [f32]>,
) -> Result<()> {
    thread.set_current(other)?.memcpy(host, tensor) //~ mistake
    //~ instead: thread.set_current(mine)?.memcpy(host, tensor)
}
