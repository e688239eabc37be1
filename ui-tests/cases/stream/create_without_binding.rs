//! Creates a stream without binding the thread to its device.

use ascendcl::stream::Main;
use ascendcl::{Device, Npu, Result, Thread};

fn wrong(thread: &mut Thread, device: &Device<'_, Npu<0>>) -> Result<()> {
    let stream = device.create_stream::<Main>()?; //~ mistake
    //~ instead: let stream = thread.set_current(device)?.create_stream::<Main>()?;
    stream.destroy()
}
