//! Resets a device while a graph of it lives.

use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let current = thread.set_current(&device)?;
    let mut stream = current.create_stream::<Main>()?;
    let bytes = current.memset(current.malloc::<u8>(4)?, 0)?;
    let graph = stream.capture(bytes, |recording, bytes| recording.memset_async(bytes, 1))?;
    let graph = stream.synchronize()?.take(graph);
    stream.destroy()?;
    device.reset()?; //~ mistake
    graph.destroy()?;
    //~ instead: device.reset()?;
    Ok(())
}
