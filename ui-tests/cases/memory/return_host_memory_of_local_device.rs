//! Returns host memory from the function that owns the device it was allocated with.
#![allow(unused)]

use ascendcl::{Acl, Device, HostBuf, HostSide, Npu, Result, Thread};

fn wrong<'dev>(
    acl: &'dev Acl,
    host: HostSide<'_>,
    thread: &mut Thread,
    given: &'dev Device<'_, Npu<0>>,
) -> Result<HostBuf<'dev, [f32]>> {
    let device = acl.set_device::<Npu<0>>(thread, 1)?; //~ mistake
    thread.set_current(&device)?.malloc_host(host, 16) //~ mistake
    //~ instead: thread.set_current(given)?.malloc_host(host, 16)
}
