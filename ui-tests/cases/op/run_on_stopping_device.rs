//! Runs an operator on borrowed operands of a device that stops on failure.

use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result, Thread, op};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let device = device.stop_on_failure(); //~ mistake
    let current = thread.set_current(&device)?;
    let mut stream = current.create_stream::<Main>()?;
    let a = current.memset(current.malloc::<f32>(16)?, 0)?;
    let out = current.malloc::<f32>(16)?.into_tensor(&[16])?;
    let a_16 = a.tensor(&[16])?;
    op::add(current, &a_16, &a_16, 1.0, out)?.run(&mut stream)?;
    Ok(())
}
