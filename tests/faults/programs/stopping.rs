//! A device that stops when a task fails: fences return the memory itself.

use ascendcl::event::OrderProgress;
use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result, Thread, op};

fn main() -> Result<()> {
    let acl = Acl::from_env()?;
    let mut thread = Thread::claim()?;
    let device = acl.set_device::<Npu<0>>(&mut thread, 0)?.stop_on_failure();
    let current = thread.set_current(&device)?;
    let mut stream = current.create_stream::<Main>()?;
    let filled = stream.memset_async(stream.adopt(current.malloc::<f32>(4)?), 0)?;
    let fence = stream.fence(current.create_event::<OrderProgress>()?, filled)?;
    let (filled, event) = fence.synchronize()?;
    let filled = stream.adopt(filled);
    let out = stream.adopt(current.malloc::<f32>(4)?).into_tensor(&[4])?;
    let plan = op::add(
        current,
        &filled.tensor(&[4])?,
        &filled.tensor(&[4])?,
        1.0,
        out,
    )?;
    let sum = plan.launch(&mut stream)?.into_output();
    drop((sum, filled));
    stream.synchronize()?;
    event.destroy()?;
    stream.destroy()?;
    device.reset()
}
