//! Destroys a context while one of its streams lives.

use ascendcl::stream::Main;
use ascendcl::{Device, Npu, Result, Thread};

fn wrong(thread: &mut Thread, device: &Device<'_, Npu<0>>) -> Result<()> {
    let context = device.create_context::<1>(thread)?;
    let stream = thread.set_current_context(&context)?.create_stream::<Main>()?;
    context.destroy()?; //~ mistake
    stream.destroy() //~ mistake
    //~ instead: stream.destroy()?;
    //~ instead: context.destroy()
}
