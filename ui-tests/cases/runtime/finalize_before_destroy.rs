//! Finalises AscendCL while a stream lives: the destruction would come after that.

use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let stream = thread.set_current(&device)?.create_stream::<Main>()?;
    acl.finalize()?; //~ mistake
    stream.destroy()?; //~ mistake
    device.reset()?; //~ mistake
    //~ instead: stream.destroy()?;
    //~ instead: device.reset()?;
    //~ instead: acl.finalize()?;
    Ok(())
}
