//! Declares a stream before its device, so that the device is reset first.

use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
    let stream; //~ mistake
    let device = acl.set_device::<Npu<0>>(thread, 0)?;
    //~ instead: let stream;
    stream = thread.set_current(&device)?.create_stream::<Main>()?; //~ mistake
    //~ instead: stream = thread.set_current(&device)?.create_stream::<Main>()?;
    println!("{stream:?}");
    Ok(())
}
