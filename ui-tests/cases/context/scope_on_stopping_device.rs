//! Lends borrowed memory to a device that stops on failure: no wait would end the loan then.

use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread, numbers: &[f32]) -> Result<()> {
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    let device = device.stop_on_failure(); //~ mistake
    let current = thread.set_current(&device)?;
    let mut stream = current.create_stream::<Main>()?;
    current.scope(|scope| -> Result<()> {
        let from = stream.adopt(scope.lend(numbers));
        let to = stream.adopt(current.malloc::<f32>(numbers.len())?);
        stream.memcpy_async(to, &from)?;
        Ok(())
    })??;
    Ok(())
}
