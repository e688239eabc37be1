//! Keeps host memory that a stream may be using beyond the reset of its device.

use ascendcl::stream::Main;
use ascendcl::{Acl, HostBuf, Npu, Queued, Result, Thread};

fn wrong<'d>(acl: &Acl, thread: &mut Thread, host: HostBuf<'d, [u32]>) -> Result<()> {
    //~ instead: let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let queued: Queued<'_, (Npu<0>, Main), HostBuf<'d, [u32]>>;
    let device = acl.set_device::<Npu<0>>(thread, 0)?; //~ mistake
    let current = thread.set_current(&device)?; //~ mistake
    //~ instead: let current = thread.set_current(&device)?;
    queued = current.create_stream::<Main>()?.adopt(host);
    drop(queued);
    Ok(())
}
