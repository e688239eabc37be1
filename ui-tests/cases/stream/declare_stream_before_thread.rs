//! Declares a stream before the thread's token, so that the thread is given up first.

use ascendcl::stream::Main;
use ascendcl::{Device, Npu, Result, Thread};

fn wrong(device: &Device<'_, Npu<0>>) -> Result<()> {
    let stream; //~ mistake
    let mut thread = Thread::claim()?;
    //~ instead: let stream;
    stream = thread.set_current(device)?.create_stream::<Main>()?; //~ mistake
    //~ instead: stream = thread.set_current(device)?.create_stream::<Main>()?;
    println!("{stream:?}");
    Ok(())
}
