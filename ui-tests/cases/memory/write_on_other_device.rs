//! Fills a buffer piece by piece with the thread bound to another device.

use ascendcl::memory::{Dev, Writer};
use ascendcl::{Device, HostBuf, Npu, Result, Thread};

fn wrong(
    thread: &mut Thread,
    (mine, other): (&Device<'_, Npu<0>>, &Device<'_, Npu<1>>),
    mut writer: Writer<'_, Dev<Npu<1>>, [f32]>,
    on_host: &HostBuf<'_, [f32]>,
) -> Result<()> {
    writer.memcpy(thread.set_current(mine)?, on_host) //~ mistake
    //~ instead: writer.memcpy(thread.set_current(other)?, on_host)
}
