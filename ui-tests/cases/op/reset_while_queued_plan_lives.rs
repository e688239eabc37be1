//! Resets a device while a plan on queued memory lives.

use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result, Thread, op};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let current = thread.set_current(&device)?;
    let mut stream = current.create_stream::<Main>()?;
    let a = stream.adopt(current.malloc::<f32>(16)?);
    let a = stream.memset_async(a, 0)?;
    let out = stream.adopt(current.malloc::<f32>(16)?).into_tensor(&[16])?;
    let plan = op::mul(current, &a.tensor(&[16])?, &a.tensor(&[16])?, out)?;
    stream.destroy()?;
    device.reset()?; //~ mistake
    drop(plan);
    drop(a);
    //~ instead: device.reset()?;
    Ok(())
}
