//! Verifies what a fence of a stopping device gave back: it is the memory itself, proven already.

use ascendcl::event::OrderProgress;
use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?.stop_on_failure();
    let current = thread.set_current(&device)?;
    let mut stream = current.create_stream::<Main>()?;
    let buf = stream.adopt(current.malloc::<f32>(16)?);
    let fence = stream.fence(current.create_event::<OrderProgress>()?, buf)?;
    let (buf, _event) = fence.synchronize()?;
    stream.synchronize()?.verify(buf).free() //~ mistake
    //~ instead: buf.free()
}
